<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="pt_BR" sourcelanguage="en">
<context>
    <name>LedgerWords</name>
    <message>
        <source>assembles for %1</source>
        <translation>monta para %1</translation>
    </message>
    <message>
        <source>assembles</source>
        <translation>monta</translation>
    </message>
    <message>
        <source>architecture-specific instructions in the code (the paper&apos;s account)</source>
        <translation>instruções específicas da arquitetura no código (pela contagem do artigo)</translation>
    </message>
    <message>
        <source>%1 in the code</source>
        <translation>%1 no código</translation>
    </message>
    <message>
        <source>%1 executed</source>
        <translation>%1 executado</translation>
    </message>
    <message>
        <source>output depends on %1</source>
        <translation>a saída depende de %1</translation>
    </message>
    <message>
        <source>correct by the strict rule</source>
        <translation>correto pela regra estrita</translation>
    </message>
    <message>
        <source>correct by the paper&apos;s rule</source>
        <translation>correto pela regra do artigo</translation>
    </message>
    <message>
        <source>inputs untouched, nothing written outside its buffers</source>
        <translation>entradas intactas, nada escrito fora dos buffers</translation>
    </message>
    <message>
        <source>free of races, hangs and missing fences</source>
        <translation>livre de condições de corrida, travamentos e fences ausentes</translation>
    </message>
    <message>
        <source>time of one call, cold L2</source>
        <translation>tempo de uma chamada, L2 fria</translation>
    </message>
    <message>
        <source>time of one call</source>
        <translation>tempo de uma chamada</translation>
    </message>
    <message>
        <source>speed-up over the library</source>
        <translation>aceleração sobre a biblioteca</translation>
    </message>
    <message>
        <source>speed-up over %1</source>
        <translation>aceleração sobre %1</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>sim</translation>
    </message>
    <message>
        <source>no</source>
        <translation>não</translation>
    </message>
    <message>
        <source>no, %1 error(s)</source>
        <translation>não, %1 erro(s)</translation>
    </message>
    <message>
        <source>yes, %1 rows</source>
        <translation>sim, %1 linhas</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 vezes</translation>
    </message>
    <message>
        <source>none found under %1 schedules</source>
        <translation>nada encontrado em %1 escalonamentos</translation>
    </message>
    <message>
        <source>%1 finding(s)</source>
        <translation>%1 achado(s)</translation>
    </message>
    <message>
        <source>the compiler was run</source>
        <translation>o compilador foi executado</translation>
    </message>
    <message>
        <source>opcodes of address-prefixed SASS rows, counted</source>
        <translation>opcodes das linhas SASS com endereço, contados</translation>
    </message>
    <message>
        <source>SASS rows of family %1</source>
        <translation>linhas SASS da família %1</translation>
    </message>
    <message>
        <source>warp instructions counted by the emulator</source>
        <translation>instruções de warp contadas pelo emulador</translation>
    </message>
    <message>
        <source>hardware counters per SASS row</source>
        <translation>contadores de hardware por linha SASS</translation>
    </message>
    <message>
        <source>the results changed in a second emulated run, outputs compared</source>
        <translation>os resultados alterados em uma segunda execução emulada, saídas comparadas</translation>
    </message>
    <message>
        <source>%1 trials with fresh inputs against our own oracle, inputs from seed %2</source>
        <translation>%1 testes com entradas novas contra o nosso oráculo, entradas da semente %2</translation>
    </message>
    <message>
        <source>%1 trials against our own oracle, fresh inputs from seed %2</source>
        <translation>%1 testes contra o nosso oráculo, entradas novas da semente %2</translation>
    </message>
    <message>
        <source>%1 trials with fresh inputs against another kernel, inputs from seed %2</source>
        <translation>%1 testes com entradas novas contra outro kernel, entradas da semente %2</translation>
    </message>
    <message>
        <source>%1 emulated runs against another kernel, inputs from seed %2</source>
        <translation>%1 execuções emuladas contra outro kernel, entradas da semente %2</translation>
    </message>
    <message>
        <source>%1 of %2 emulated runs against another kernel, inputs from seed %3</source>
        <translation>%1 de %2 execuções emuladas contra outro kernel, entradas da semente %3</translation>
    </message>
    <message>
        <source>%1 emulated runs against our own oracle, inputs from seed %2</source>
        <translation>%1 execuções emuladas contra o nosso oráculo, entradas da semente %2</translation>
    </message>
    <message>
        <source>input hashes before and after, guard bands around every buffer</source>
        <translation>hashes das entradas antes e depois, faixas de guarda em volta de cada buffer</translation>
    </message>
    <message>
        <source>every access checked by the emulator, inputs compared</source>
        <translation>cada acesso verificado pelo emulador, entradas comparadas</translation>
    </message>
    <message>
        <source>asynchronous work completed %1; sums as %2</source>
        <translation>trabalho assíncrono concluído %1; somas como %2</translation>
    </message>
    <message>
        <source>CUDA events, median of %1 calls</source>
        <translation>eventos CUDA, mediana de %1 chamadas</translation>
    </message>
    <message>
        <source>%1 paired rounds ABBA, cold L2, 95 % bootstrap interval of the ratio of medians</source>
        <translation>%1 rodadas pareadas ABBA, L2 fria, intervalo bootstrap de 95 % da razão das medianas</translation>
    </message>
    <message>
        <source>the phases before it did not pass</source>
        <translation>as fases anteriores não passaram</translation>
    </message>
    <message>
        <source>an earlier phase failed</source>
        <translation>uma fase anterior falhou</translation>
    </message>
    <message>
        <source>the compiler was not run</source>
        <translation>o compilador não foi executado</translation>
    </message>
    <message>
        <source>the compiler refused the file</source>
        <translation>o compilador recusou o arquivo</translation>
    </message>
    <message>
        <source>from the build cache</source>
        <translation>do cache de compilação</translation>
    </message>
    <message>
        <source>hardware counters were not asked for (--profile)</source>
        <translation>contadores de hardware não foram pedidos (--profile)</translation>
    </message>
    <message>
        <source>only an emulated run that comes to its end shows it</source>
        <translation>só uma execução emulada que chega ao fim mostra isso</translation>
    </message>
    <message>
        <source>needs the emulator, which is not part of this version</source>
        <translation>precisa do emulador, que não faz parte desta versão</translation>
    </message>
    <message>
        <source>the sanitizer is not part of this version</source>
        <translation>o sanitizer não faz parte desta versão</translation>
    </message>
    <message>
        <source>the sanitizer needs a GPU; the emulator&apos;s own checks ran with verify</source>
        <translation>o sanitizer precisa de uma GPU; as verificações do emulador foram feitas em Verificar</translation>
    </message>
    <message>
        <source>only the emulator looks for these</source>
        <translation>só o emulador procura por isso</translation>
    </message>
    <message>
        <source>only correct candidates are timed</source>
        <translation>só candidatos corretos são cronometrados</translation>
    </message>
    <message>
        <source>times are taken of correct kernels only; this one is %1</source>
        <translation>só kernels corretos são cronometrados; este é: %1</translation>
    </message>
    <message>
        <source>timing was not asked for</source>
        <translation>a cronometragem não foi pedida</translation>
    </message>
    <message>
        <source>no accepted sample</source>
        <translation>nenhuma amostra aceita</translation>
    </message>
    <message>
        <source>too few accepted rounds</source>
        <translation>poucas rodadas aceitas</translation>
    </message>
    <message>
        <source>the task names no baseline</source>
        <translation>a tarefa não indica nenhuma linha de base</translation>
    </message>
    <message>
        <source>the cuDNN baseline is not built yet</source>
        <translation>a comparação com o cuDNN ainda não existia</translation>
    </message>
    <message>
        <source>the time is below the roofline floor, which is impossible; it is no result</source>
        <translation>o tempo está abaixo do piso do roofline, o que é impossível; não é um resultado</translation>
    </message>
    <message>
        <source>an emulator has no GPU&apos;s clock; timing needs the GPU</source>
        <translation>um emulador não tem o relógio de uma GPU; cronometrar exige a GPU</translation>
    </message>
    <message>
        <source>running was switched off (--on none)</source>
        <translation>a execução foi desligada (--on none)</translation>
    </message>
    <message>
        <source>the CPU emulator was asked for</source>
        <translation>o emulador na CPU foi pedido</translation>
    </message>
    <message>
        <source>the CPU emulator, since there is no GPU to run it: %1</source>
        <translation>o emulador na CPU, pois não há GPU para executar: %1</translation>
    </message>
    <message>
        <source>no NVIDIA GPU was found</source>
        <translation>nenhuma GPU NVIDIA foi encontrada</translation>
    </message>
    <message>
        <source>there is no GPU number %1 (%2 found)</source>
        <translation>não há GPU número %1 (%2 encontradas)</translation>
    </message>
    <message>
        <source>about %1 GiB are needed, %2 has %3 GiB free</source>
        <translation>são precisos cerca de %1 GiB, %2 tem %3 GiB livres</translation>
    </message>
    <message>
        <source>code for %1 does not load on %2 (%3)</source>
        <translation>código para %1 não carrega em %2 (%3)</translation>
    </message>
    <message>
        <source>host contract: the file brings its own launch code</source>
        <translation>contrato host: o arquivo traz seu próprio código de lançamento</translation>
    </message>
    <message>
        <source>%1 (by emulation, %2 accumulation; nothing found under %3 schedules)</source>
        <translation>%1 (por emulação, acumulação %2; nada encontrado em %3 escalonamentos)</translation>
    </message>
    <message>
        <source>%1 (by emulation, %2 accumulation; nothing found under %3 schedule)</source>
        <translation>%1 (por emulação, acumulação %2; nada encontrado em %3 escalonamento)</translation>
    </message>
    <message>
        <source>Every output agrees with the reference in %1 trials (largest normwise error %2).</source>
        <translation>Todas as saídas concordam com a referência em %1 testes (maior erro normalizado %2).</translation>
    </message>
    <message>
        <source>Every output agrees with the reference in %1 trial (largest normwise error %2).</source>
        <translation>Todas as saídas concordam com a referência em %1 teste (maior erro normalizado %2).</translation>
    </message>
    <message>
        <source>Every output agrees with the reference in %1 (largest normwise error %2); an output without a strict bound was judged by the paper&apos;s rule.</source>
        <translation>Todas as saídas concordam com a referência em %1 (maior erro normalizado %2); uma saída sem limite estrito foi julgada pela regra do artigo.</translation>
    </message>
    <message>
        <source>Output %1: %2 of %3 elements are off by more than %4 and by more than %5 of the reference, in trial %6 (seed %7); first at element %8: got %9.</source>
        <translation>Saída %1: %2 de %3 elementos diferem em mais de %4 e em mais de %5 da referência, no teste %6 (semente %7); o primeiro é o elemento %8: veio %9.</translation>
    </message>
    <message>
        <source>Output %1: %2 of %3 elements are off by more than %4 and by more than %5 of the reference, in trial %6 (seed %7).</source>
        <translation>Saída %1: %2 de %3 elementos diferem em mais de %4 e em mais de %5 da referência, no teste %6 (semente %7).</translation>
    </message>
    <message>
        <source>Output %1: the error&apos;s norm is %2 of the reference&apos;s, the strict bound is %3, in trial %4 (seed %5).</source>
        <translation>Saída %1: a norma do erro é %2 da norma da referência, o limite estrito é %3, no teste %4 (semente %5).</translation>
    </message>
    <message>
        <source>Output %1 holds %2 NaN and %3 Inf where the reference is finite, in trial %4 (seed %5).</source>
        <translation>A saída %1 contém %2 NaN e %3 Inf onde a referência é finita, no teste %4 (semente %5).</translation>
    </message>
    <message>
        <source>Output %1: %2 of %3 elements were never written in trial %4 (seed %5).</source>
        <translation>Saída %1: %2 de %3 elementos nunca foram escritos no teste %4 (semente %5).</translation>
    </message>
    <message>
        <source>Output %1 was never written in trial %2 (seed %3).</source>
        <translation>A saída %1 nunca foi escrita no teste %2 (semente %3).</translation>
    </message>
    <message>
        <source>Input %1 was changed in trial %2 (seed %3).</source>
        <translation>A entrada %1 foi alterada no teste %2 (semente %3).</translation>
    </message>
    <message>
        <source>Inputs %1 were changed in trial %2 (seed %3).</source>
        <translation>As entradas %1 foram alteradas no teste %2 (semente %3).</translation>
    </message>
    <message>
        <source>Memory beside %1 was overwritten in trial %2 (seed %3).</source>
        <translation>A memória ao lado de %1 foi sobrescrita no teste %2 (semente %3).</translation>
    </message>
    <message>
        <source>%1, expected %2</source>
        <translation>%1, esperado %2</translation>
    </message>
    <message>
        <source>%1 of %2 CTAs</source>
        <translation>%1 de %2 CTAs</translation>
    </message>
    <message>
        <source>No output was compared with a reference.</source>
        <translation>Nenhuma saída foi comparada com uma referência.</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>o arquivo está vazio</translation>
    </message>
    <message>
        <source>the launch plan cannot be used: %1</source>
        <translation>o plano de lançamento não pode ser usado: %1</translation>
    </message>
    <message>
        <source>the launch plan starts &apos;%1&apos;, but the code has %2</source>
        <translation>o plano de lançamento inicia &apos;%1&apos;, mas o código tem %2</translation>
    </message>
    <message>
        <source>%1 at line %2: %3</source>
        <translation>%1 na linha %2: %3</translation>
    </message>
    <message>
        <source>%1 in its code</source>
        <translation>%1 no seu código</translation>
    </message>
    <message>
        <source>%1 finding: %2</source>
        <translation>%1 achado: %2</translation>
    </message>
    <message>
        <source>%1 findings: %2</source>
        <translation>%1 achados: %2</translation>
    </message>
    <message>
        <source>%1 warning: %2</source>
        <translation>%1 aviso: %2</translation>
    </message>
    <message>
        <source>%1 warnings: %2</source>
        <translation>%1 avisos: %2</translation>
    </message>
    <message>
        <source>%1 of %2 emulated runs against our own oracle, inputs from seed %3</source>
        <translation>%1 de %2 execuções emuladas contra o nosso próprio oráculo, entradas da semente %3</translation>
    </message>
    <message>
        <source>%1 of %2 schedules came to their end: %3</source>
        <translation>%1 de %2 escalonamentos chegaram ao fim: %3</translation>
    </message>
    <message>
        <source>%1 (by emulation, %2 accumulation; under %3 schedules %4)</source>
        <translation>%1 (por emulação, acumulação %2; sob %3 escalonamentos %4)</translation>
    </message>
    <message>
        <source>%1 (by emulation, %2 accumulation; under %3 schedule %4)</source>
        <translation>%1 (por emulação, acumulação %2; sob %3 escalonamento %4)</translation>
    </message>
    <message>
        <source>the compiler kept no cubin; `ptxwb sass` shows the SASS of the file</source>
        <translation>o compilador não guardou cubin; `ptxwb sass` mostra o SASS do arquivo</translation>
    </message>
    <message>
        <source>host-contract candidates are not run under compute-sanitizer</source>
        <translation>candidatos do contrato host não são executados sob o compute-sanitizer</translation>
    </message>
    <message>
        <source>its own host code was run</source>
        <translation>o código host dele foi executado</translation>
    </message>
    <message>
        <source>in a process of its own, with this user&apos;s rights; it holds neither the reference nor the checks</source>
        <translation>em um processo próprio, com os direitos deste usuário; ele não tem nem a referência nem as verificações</translation>
    </message>
    <message>
        <source>%1; reported by the candidate&apos;s own process, bounded by the runner&apos;s clock (%2)</source>
        <translation>%1; informado pelo próprio processo do candidato, limitado pelo relógio do runner (%2)</translation>
    </message>
    <message>
        <source>Every output agrees with the reference in %1 runs of the same inputs (largest normwise error %2).</source>
        <translation>Todas as saídas concordam com a referência em %1 execuções das mesmas entradas (maior erro normalizado %2).</translation>
    </message>
    <message>
        <source>a second call gives the same bits</source>
        <translation>uma segunda chamada dá os mesmos bits</translation>
    </message>
    <message>
        <source>the same inputs again, outputs poisoned between, hashes compared</source>
        <translation>as mesmas entradas de novo, saídas envenenadas entre as chamadas, hashes comparados</translation>
    </message>
    <message>
        <source>Every output agrees with the reference in %1 trials and %2 more (largest normwise error %3).</source>
        <translation>Todas as saídas concordam com a referência em %1 testes e mais %2 (maior erro normalizado %3).</translation>
    </message>
    <message>
        <source>Every output agrees with the reference in %1 trial and %2 more (largest normwise error %3).</source>
        <translation>Todas as saídas concordam com a referência em %1 teste e mais %2 (maior erro normalizado %3).</translation>
    </message>
    <message>
        <source>Nsight Compute is run on this machine&apos;s GPU only</source>
        <translation>o Nsight Compute só é executado na GPU desta máquina</translation>
    </message>
    <message>
        <source>Nsight Compute (ncu) is not here; it comes with the CUDA toolkit (PTXWB_NCU names one elsewhere)</source>
        <translation>o Nsight Compute (ncu) não está aqui; ele vem com o CUDA toolkit (PTXWB_NCU indica um em outro lugar)</translation>
    </message>
    <message>
        <source>this user may not read the GPU&apos;s performance counters (ERR_NVGPUCTRPERM); an administrator allows it with the driver&apos;s option NVreg_RestrictProfilingToAdminUsers=0</source>
        <translation>este usuário não pode ler os contadores de desempenho da GPU (ERR_NVGPUCTRPERM); um administrador permite isso com a opção NVreg_RestrictProfilingToAdminUsers=0 do driver</translation>
    </message>
    <message>
        <source>Nsight Compute did not end within %1 s</source>
        <translation>o Nsight Compute não terminou em %1 s</translation>
    </message>
    <message>
        <source>Nsight Compute says: %1</source>
        <translation>o Nsight Compute diz: %1</translation>
    </message>
    <message>
        <source>%1 trials with fresh inputs against the definition&apos;s Python reference, inputs from seed %2</source>
        <translation>%1 testes com entradas novas contra a referência em Python da definição, entradas da semente %2</translation>
    </message>
    <message>
        <source>%1 emulated runs against the definition&apos;s Python reference, inputs from seed %2</source>
        <translation>%1 execuções emuladas contra a referência em Python da definição, entradas da semente %2</translation>
    </message>
    <message>
        <source>%1 of %2 emulated runs against the definition&apos;s Python reference, inputs from seed %3</source>
        <translation>%1 de %2 execuções emuladas contra a referência em Python da definição, entradas da semente %3</translation>
    </message>
    <message>
        <source>%1 trials with fresh inputs against stored outputs, inputs from seed %2</source>
        <translation>%1 testes com entradas novas contra saídas guardadas, entradas da semente %2</translation>
    </message>
    <message>
        <source>%1 emulated runs against stored outputs, inputs from seed %2</source>
        <translation>%1 execuções emuladas contra saídas guardadas, entradas da semente %2</translation>
    </message>
    <message>
        <source>%1 of %2 emulated runs against stored outputs, inputs from seed %3</source>
        <translation>%1 de %2 execuções emuladas contra saídas guardadas, entradas da semente %3</translation>
    </message>
    <message>
        <source>in a process of its own, with this user&apos;s rights; it holds neither the memory of the device nor the reference nor the checks</source>
        <translation>em um processo próprio, com os direitos deste usuário; ele não tem a memória do dispositivo, nem a referência, nem as verificações</translation>
    </message>
    <message>
        <source>in a process of its own, in a sandbox; it holds neither the memory of the device nor the reference nor the checks</source>
        <translation>em um processo próprio, em uma sandbox; ele não tem a memória do dispositivo, nem a referência, nem as verificações</translation>
    </message>
</context>
<context>
    <name>TimelineLanes</name>
    <message>
        <source>waits, line %1</source>
        <translation>espera, linha %1</translation>
    </message>
    <message>
        <source>waits at line %1 for %L2 rounds</source>
        <translation>espera na linha %1 por %L2 rodadas</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>linha %1</translation>
    </message>
    <message>
        <source>lines %1 to %2</source>
        <translation>linhas %1 a %2</translation>
    </message>
    <message>
        <source>runs from line %1 to line %2, %L3 rounds</source>
        <translation>executa da linha %1 à linha %2, %L3 rodadas</translation>
    </message>
    <message>
        <source>line %1, warp %2</source>
        <translation>linha %1, warp %2</translation>
    </message>
    <message>
        <source>%1 of warp %2, line %3, under way for %L4 rounds</source>
        <translation>%1 do warp %2, linha %3, em andamento por %L4 rodadas</translation>
    </message>
    <message>
        <source>%1 of warp %2, line %3, still under way</source>
        <translation>%1 do warp %2, linha %3, ainda em andamento</translation>
    </message>
    <message>
        <source>phase %1</source>
        <translation>fase %1</translation>
    </message>
    <message>
        <source>phase %1, %L2 rounds</source>
        <translation>fase %1, %L2 rodadas</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>cópias</translation>
    </message>
    <message>
        <source>products</source>
        <translation>produtos</translation>
    </message>
    <message>
        <source>other work</source>
        <translation>outro trabalho</translation>
    </message>
    <message>
        <source>CTA %1 </source>
        <translation>CTA %1 </translation>
    </message>
    <message>
        <source>warp %1</source>
        <translation>warp %1</translation>
    </message>
</context>
<context>
    <name>VerdictWords</name>
    <message>
        <source>Correct</source>
        <translation>Correto</translation>
    </message>
    <message>
        <source>Wrong numbers</source>
        <translation>Números errados</translation>
    </message>
    <message>
        <source>Wrong shape or type</source>
        <translation>Forma ou tipo errado</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Não finito</translation>
    </message>
    <message>
        <source>Output not written</source>
        <translation>Saída não escrita</translation>
    </message>
    <message>
        <source>Input modified</source>
        <translation>Entrada modificada</translation>
    </message>
    <message>
        <source>Out of bounds</source>
        <translation>Fora dos limites</translation>
    </message>
    <message>
        <source>Not deterministic</source>
        <translation>Não determinístico</translation>
    </message>
    <message>
        <source>Race</source>
        <translation>Condição de corrida</translation>
    </message>
    <message>
        <source>Deadlock</source>
        <translation>Impasse (deadlock)</translation>
    </message>
    <message>
        <source>Does not compile</source>
        <translation>Não compila</translation>
    </message>
    <message>
        <source>No candidate found</source>
        <translation>Nenhum candidato encontrado</translation>
    </message>
    <message>
        <source>Banned library</source>
        <translation>Biblioteca proibida</translation>
    </message>
    <message>
        <source>Launch failed</source>
        <translation>Falha no lançamento</translation>
    </message>
    <message>
        <source>Run-time fault</source>
        <translation>Falha na execução</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>Tempo esgotado</translation>
    </message>
    <message>
        <source>Not supported here</source>
        <translation>Não suportado aqui</translation>
    </message>
    <message>
        <source>Infrastructure error</source>
        <translation>Erro de infraestrutura</translation>
    </message>
    <message>
        <source>Unverified</source>
        <translation>Não verificado</translation>
    </message>
    <message>
        <source>Extract</source>
        <translation>Extrair</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Compilar</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>Inspecionar</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Verificar</translation>
    </message>
    <message>
        <source>Sanitize</source>
        <translation>Sanear</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Medir</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>passou</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>falhou</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>pulada</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>cancelada</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>medido</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>inferido</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>não medido</translation>
    </message>
    <message>
        <source>Livelock</source>
        <translation>Livelock</translation>
    </message>
    <message>
        <source>Missing proxy fence</source>
        <translation>Falta fence de proxy</translation>
    </message>
    <message>
        <source>Missing wgmma fence</source>
        <translation>Falta wgmma.fence</translation>
    </message>
    <message>
        <source>Missing wgmma wait</source>
        <translation>Falta espera de wgmma</translation>
    </message>
    <message>
        <source>Byte counts of a barrier do not match</source>
        <translation>Contagens de bytes da barreira não batem</translation>
    </message>
    <message>
        <source>Uninitialised read</source>
        <translation>Leitura não inicializada</translation>
    </message>
    <message>
        <source>Misaligned address</source>
        <translation>Endereço desalinhado</translation>
    </message>
    <message>
        <source>Barrier misused</source>
        <translation>Barreira mal usada</translation>
    </message>
    <message>
        <source>Divergent aligned instruction</source>
        <translation>Instrução alinhada divergente</translation>
    </message>
    <message>
        <source>Descriptor does not match</source>
        <translation>Descritor não corresponde</translation>
    </message>
    <message>
        <source>Trap</source>
        <translation>Trap</translation>
    </message>
    <message>
        <source>Resource limit</source>
        <translation>Limite de recursos</translation>
    </message>
    <message>
        <source>Not emulated</source>
        <translation>Não emulado</translation>
    </message>
</context>
<context>
    <name>ptxwb::ApplyDialog</name>
    <message>
        <source>Apply to %1</source>
        <translation>Aplicar a %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::ApplyView</name>
    <message>
        <source>Check &amp;all</source>
        <translation>Marcar &amp;todos</translation>
    </message>
    <message>
        <source>Check &amp;none</source>
        <translation>Marcar &amp;nenhum</translation>
    </message>
    <message>
        <source>Apply checked</source>
        <translation>Aplicar marcados</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>The code is the same as the buffer: there is nothing to apply.</source>
        <translation>O código é igual ao do editor: não há nada a aplicar.</translation>
    </message>
    <message>
        <source>Not the whole file: check the hunks that you want one by one</source>
        <translation>Não é o arquivo inteiro: marque um a um os trechos que deseja</translation>
    </message>
    <message>
        <source>⚠ The answer leaves code out (line %1: %2), so it cannot replace the file as a whole. Removals beside such a place are not checked.</source>
        <translation>⚠ A resposta omite código (linha %1: %2), portanto não pode substituir o arquivo inteiro. Remoções junto de um lugar assim não vêm marcadas.</translation>
    </message>
    <message>
        <source>⚠ The block is a part of a file. What it does not mention stays unless you check its removal.</source>
        <translation>⚠ O bloco é parte de um arquivo. O que ele não menciona fica, a menos que você marque a remoção.</translation>
    </message>
    <message>
        <source>⚠ The answer was cut by the token limit: its end may be missing.</source>
        <translation>⚠ A resposta foi cortada pelo limite de tokens: o fim pode estar faltando.</translation>
    </message>
    <message>
        <source>ℹ The buffer was changed since the question. The answer&apos;s changes were carried over to it; those that meet yours are not applied.</source>
        <translation>ℹ O texto mudou desde a pergunta. As mudanças da resposta foram levadas para ele; as que encontram as suas não são aplicadas.</translation>
    </message>
    <message>
        <source>%1 of %2 changes checked</source>
        <translation>%1 de %2 mudanças marcadas</translation>
    </message>
</context>
<context>
    <name>ptxwb::BuildDisplay</name>
    <message>
        <source>Compiling…</source>
        <translation>Compilando…</translation>
    </message>
    <message>
        <source>Compile stopped</source>
        <translation>Compilação interrompida</translation>
    </message>
    <message>
        <source>Not compiled yet. Ctrl+Enter compiles the text in the editor; its machine code is shown here, linked with the lines that it came from.</source>
        <translation>Ainda não compilado. Ctrl+Enter compila o texto do editor; seu código de máquina aparece aqui, ligado às linhas de onde veio.</translation>
    </message>
    <message>
        <source>Not compiled yet. Ctrl+Enter compiles.</source>
        <translation>Ainda não compilado. Ctrl+Enter compila.</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Problemas</translation>
    </message>
    <message>
        <source>Of an earlier text: the editor has changed since.</source>
        <translation>De um texto anterior: o editor mudou desde então.</translation>
    </message>
    <message>
        <source>Not compiled: %1</source>
        <translation>Não compilado: %1</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>Problemas (%1)</translation>
    </message>
    <message>
        <source>No problems: %1 accepts this text for %2.</source>
        <translation>Sem problemas: %1 aceita este texto para %2.</translation>
    </message>
    <message>
        <source>the compiler</source>
        <translation>o compilador</translation>
    </message>
    <message>
        <source>Compiled for %1 (unchanged, from the cache)</source>
        <translation>Compilado para %1 (inalterado, do cache)</translation>
    </message>
    <message>
        <source>Compiled for %1 in %2 ms</source>
        <translation>Compilado para %1 em %2 ms</translation>
    </message>
    <message numerus="yes">
        <source>✗ Does not compile: %n error(s)</source>
        <translation>
            <numerusform>✗ Não compila: %n erro</numerusform>
            <numerusform>✗ Não compila: %n erros</numerusform>
        </translation>
    </message>
    <message>
        <source>Of the last text that compiled: the present one does not, see Problems.</source>
        <translation>Do último texto que compilou: o atual não compila, veja Problemas.</translation>
    </message>
    <message>
        <source>The text does not compile, so there is no machine code. The Problems pane says why.</source>
        <translation>O texto não compila, portanto não há código de máquina. O painel Problemas diz por quê.</translation>
    </message>
    <message>
        <source>It compiled, but its machine code cannot be shown: %1</source>
        <translation>Compilou, mas o código de máquina não pode ser mostrado: %1</translation>
    </message>
    <message>
        <source>The file holds no kernel (no .entry), so there is no machine code.</source>
        <translation>O arquivo não contém kernel (nenhum .entry), portanto não há código de máquina.</translation>
    </message>
    <message>
        <source>The editor is empty. Open a kernel (Ctrl+O) or write one; its machine code is shown here.</source>
        <translation>O editor está vazio. Abra um kernel (Ctrl+O) ou escreva um; seu código de máquina aparece aqui.</translation>
    </message>
</context>
<context>
    <name>ptxwb::CauseHistogram</name>
    <message>
        <source>All answers</source>
        <translation>Todas as respostas</translation>
    </message>
    <message>
        <source>Compiles</source>
        <translation>Compila</translation>
    </message>
    <message>
        <source>… but lacks what its text asks for</source>
        <translation>… mas não tem o que o seu texto pede</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>Causas</translation>
    </message>
</context>
<context>
    <name>ptxwb::ChatPane</name>
    <message>
        <source>No question yet.

The buffer and what the tools say about it go along with a question; remove a chip below to leave it out. Code in an answer is applied to the buffer only through a diff.</source>
        <translation>Nenhuma pergunta ainda.

O texto do editor e o que as ferramentas dizem dele acompanham a pergunta; remova uma etiqueta abaixo para deixá-la de fora. O código de uma resposta só é aplicado ao texto por meio de um diff.</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Nova conversa</translation>
    </message>
    <message>
        <source>Provider…</source>
        <translation>Provedor…</translation>
    </message>
    <message>
        <source>Changing an earlier question: what follows it is dropped.</source>
        <translation>Alterando uma pergunta anterior: o que vem depois é descartado.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>No provider is set up, and nothing is sent anywhere.

Any OpenAI-compatible server will do: one on this machine (llama.cpp, Ollama, vLLM) or a hosted one. Its key stays in an environment variable or in the system keychain.</source>
        <translation>Nenhum provedor está configurado, e nada é enviado a lugar algum.

Serve qualquer servidor compatível com OpenAI: um nesta máquina (llama.cpp, Ollama, vLLM) ou um hospedado. A chave fica em uma variável de ambiente ou no chaveiro do sistema.</translation>
    </message>
    <message>
        <source>Set up a provider…</source>
        <translation>Configurar um provedor…</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 (all of %2)</source>
        <translation>%1 (todos os %2)</translation>
    </message>
    <message>
        <source>%1 (%2 of it)</source>
        <translation>%1 (%2 dele)</translation>
    </message>
    <message>
        <source>⚠ Left out of the question, too long: %1</source>
        <translation>⚠ Deixado fora da pergunta, longo demais: %1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Parar</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Enviar</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>Parar a resposta (Esc)</translation>
    </message>
    <message>
        <source>Send the question (Enter)</source>
        <translation>Enviar a pergunta (Enter)</translation>
    </message>
</context>
<context>
    <name>ptxwb::ChatRoom</name>
    <message>
        <source>Nothing was applied: the buffer was changed while the dialog was open. Open it again.</source>
        <translation>Nada foi aplicado: o texto mudou enquanto o diálogo estava aberto. Abra-o de novo.</translation>
    </message>
</context>
<context>
    <name>ptxwb::CodeBlockView</name>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Apply…</source>
        <translation>Aplicar…</translation>
    </message>
    <message>
        <source>Copy this block to the clipboard</source>
        <translation>Copiar este bloco para a área de transferência</translation>
    </message>
    <message>
        <source>code</source>
        <translation>código</translation>
    </message>
    <message>
        <source>%1 · whole module</source>
        <translation>%1 · módulo inteiro</translation>
    </message>
    <message>
        <source>⚠ Leaves code out at line %1: %2</source>
        <translation>⚠ Omite código na linha %1: %2</translation>
    </message>
    <message>
        <source>⚠ The block is not closed: its end may be missing</source>
        <translation>⚠ O bloco não está fechado: o fim pode estar faltando</translation>
    </message>
    <message>
        <source>Compare this block with the buffer and choose what to take over</source>
        <translation>Comparar este bloco com o texto e escolher o que aproveitar</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Mostrar menos</translation>
    </message>
    <message>
        <source>Show all %1 lines</source>
        <translation>Mostrar todas as %1 linhas</translation>
    </message>
</context>
<context>
    <name>ptxwb::CommandPalette</name>
    <message>
        <source>Find a command</source>
        <translation>Procurar um comando</translation>
    </message>
    <message>
        <source>Type a part of its name</source>
        <translation>Digite uma parte do nome</translation>
    </message>
</context>
<context>
    <name>ptxwb::Composer</name>
    <message>
        <source>Ask about the kernel. Enter sends, Shift+Enter makes a new line.</source>
        <translation>Pergunte sobre o kernel. Enter envia, Shift+Enter abre nova linha.</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Pergunta</translation>
    </message>
</context>
<context>
    <name>ptxwb::ContextBar</name>
    <message>
        <source>+ Context</source>
        <translation>+ Contexto</translation>
    </message>
    <message>
        <source>Send again what was removed</source>
        <translation>Enviar de novo o que foi removido</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Goes with your question; click to leave it out</source>
        <translation>Acompanha a pergunta; clique para deixar de fora</translation>
    </message>
    <message>
        <source>%1
Goes with your question; click to leave it out</source>
        <translation>%1
Acompanha a pergunta; clique para deixar de fora</translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation>Deixar %1 de fora</translation>
    </message>
</context>
<context>
    <name>ptxwb::DebugController</name>
    <message>
        <source>Looking at another warp…</source>
        <translation>Olhando outro warp…</translation>
    </message>
    <message>
        <source>Going back to the barrier&apos;s last change…</source>
        <translation>Voltando à última mudança da barreira…</translation>
    </message>
    <message>
        <source>The barrier has not changed since the start</source>
        <translation>A barreira não mudou desde o início</translation>
    </message>
    <message>
        <source>Going to the report…</source>
        <translation>Indo ao relato…</translation>
    </message>
    <message>
        <source>It does not come again in this launch</source>
        <translation>Não acontece de novo neste lançamento</translation>
    </message>
    <message>
        <source>The editor is empty. Open a kernel (Ctrl+O) or write one.</source>
        <translation>O editor está vazio. Abra um kernel (Ctrl+O) ou escreva um.</translation>
    </message>
    <message>
        <source>Preparing the tensors and the kernel…</source>
        <translation>Preparando os tensores e o kernel…</translation>
    </message>
    <message>
        <source>Starting the debugger…</source>
        <translation>Iniciando o depurador…</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>Linha %1: %2</translation>
    </message>
    <message>
        <source>Cannot be debugged: %1

The launch plan must declare its tensors (Ctrl+F5 offers one), or a task must be chosen that gives them.</source>
        <translation>Não pode ser depurado: %1

O plano de lançamento deve declarar os tensores (Ctrl+F5 oferece um), ou deve ser escolhida uma tarefa que os dê.</translation>
    </message>
    <message>
        <source>Cannot be debugged: %1</source>
        <translation>Não pode ser depurado: %1</translation>
    </message>
    <message>
        <source>Running… (Esc interrupts)</source>
        <translation>Executando… (Esc interrompe)</translation>
    </message>
    <message>
        <source>Stepping…</source>
        <translation>Um passo…</translation>
    </message>
    <message>
        <source>Stepping back…</source>
        <translation>Um passo atrás…</translation>
    </message>
    <message>
        <source>Running to line %1… (Esc interrupts)</source>
        <translation>Executando até a linha %1… (Esc interrompe)</translation>
    </message>
    <message>
        <source>Nothing is debugged. Alt+F5 starts the kernel on the CPU at its first instruction; F10 steps it, F11 steps it backwards, F9 sets a breakpoint on the line of the caret.</source>
        <translation>Nada está sendo depurado. Alt+F5 inicia o kernel na CPU na primeira instrução; F10 dá um passo, F11 um passo atrás, F9 põe um ponto de parada na linha do cursor.</translation>
    </message>
    <message>
        <source>Setting a watch…</source>
        <translation>Pondo uma vigia…</translation>
    </message>
    <message>
        <source>Removing a watch…</source>
        <translation>Tirando uma vigia…</translation>
    </message>
    <message>
        <source>Going back to its last change…</source>
        <translation>Voltando à última mudança…</translation>
    </message>
    <message>
        <source>%1 has not changed since the start</source>
        <translation>%1 não mudou desde o início</translation>
    </message>
    <message>
        <source>Reading memory…</source>
        <translation>Lendo a memória…</translation>
    </message>
    <message>
        <source>Going to round %L1… (Esc interrupts)</source>
        <translation>Indo à rodada %L1… (Esc interrompe)</translation>
    </message>
    <message>
        <source>Recording the timeline… (Esc interrupts)</source>
        <translation>Gravando a linha do tempo… (Esc interrompe)</translation>
    </message>
    <message>
        <source>Not saved: the debugger is at work</source>
        <translation>Não foi salvo: o depurador está trabalhando</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Escrito: %1</translation>
    </message>
    <message>
        <source>The window steps PTX. `ptxwb debug FILE.cu` steps the PTX that nvcc makes of a CUDA source; `ptxwb ptx FILE.cu` writes it.</source>
        <translation>A janela percorre PTX. `ptxwb debug FILE.cu` percorre o PTX que o nvcc faz de um fonte CUDA; `ptxwb ptx FILE.cu` o grava.</translation>
    </message>
</context>
<context>
    <name>ptxwb::DebugTables</name>
    <message>
        <source>CTA.warp</source>
        <translation>CTA.warp</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Lanes</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Linha</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Instrução</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Register</source>
        <translation>Registrador</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
    <message>
        <source>Other lanes</source>
        <translation>Outras lanes</translation>
    </message>
    <message>
        <source>CTA</source>
        <translation>CTA</translation>
    </message>
    <message>
        <source>Barrier</source>
        <translation>Barreira</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Fase</translation>
    </message>
    <message>
        <source>Arrivals missing</source>
        <translation>Chegadas que faltam</translation>
    </message>
    <message>
        <source>Bytes missing</source>
        <translation>Bytes que faltam</translation>
    </message>
    <message>
        <source>Made at</source>
        <translation>Criada em</translation>
    </message>
    <message>
        <source>Last arrival</source>
        <translation>Última chegada</translation>
    </message>
    <message>
        <source>Last copy</source>
        <translation>Última cópia</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Esperando</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operação</translation>
    </message>
    <message>
        <source>Issued by</source>
        <translation>Emitida por</translation>
    </message>
    <message>
        <source>● its registers are shown; ▶ runs next</source>
        <translation>● os registradores são os dele; ▶ executa a seguir</translation>
    </message>
    <message>
        <source>has exited</source>
        <translation>terminou</translation>
    </message>
    <message>
        <source>all</source>
        <translation>todas</translation>
    </message>
    <message>
        <source>can run</source>
        <translation>pode executar</translation>
    </message>
    <message>
        <source>true</source>
        <translation>verdadeiro</translation>
    </message>
    <message>
        <source>false</source>
        <translation>falso</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>indefinido</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>o mesmo</translation>
    </message>
    <message>
        <source>undefined too</source>
        <translation>indefinidas também</translation>
    </message>
    <message>
        <source>%1 (parity %2)</source>
        <translation>%1 (paridade %2)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>%1 (%2 of %3 came)</source>
        <translation>%1 (%2 de %3 chegaram)</translation>
    </message>
    <message>
        <source>Enter goes back to its last change</source>
        <translation>Enter volta à última mudança dela</translation>
    </message>
    <message>
        <source>barrier %1</source>
        <translation>barreira %1</translation>
    </message>
    <message>
        <source>all; %1 have come</source>
        <translation>todas; %1 chegaram</translation>
    </message>
    <message>
        <source>has read its source</source>
        <translation>já leu a fonte</translation>
    </message>
    <message>
        <source>under way</source>
        <translation>em andamento</translation>
    </message>
    <message>
        <source>At the start</source>
        <translation>No início</translation>
    </message>
    <message>
        <source>Breakpoint</source>
        <translation>Ponto de parada</translation>
    </message>
    <message>
        <source>Changed: %1</source>
        <translation>Mudou: %1</translation>
    </message>
    <message>
        <source>Reported: %1</source>
        <translation>Relatado: %1</translation>
    </message>
    <message>
        <source>Finished: every thread has exited</source>
        <translation>Fim: todas as threads terminaram</translation>
    </message>
    <message>
        <source>Deadlock: %1</source>
        <translation>Deadlock: %1</translation>
    </message>
    <message>
        <source>Livelock: %1</source>
        <translation>Livelock: %1</translation>
    </message>
    <message>
        <source>Stopped by a fault: %1</source>
        <translation>Parado por uma falha: %1</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Interrompido</translation>
    </message>
    <message>
        <source>Warp %1 at line %2</source>
        <translation>Warp %1 na linha %2</translation>
    </message>
    <message>
        <source>Warp %1 has exited</source>
        <translation>O warp %1 terminou</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Lugar</translation>
    </message>
    <message>
        <source>Enter goes back to its last change, Delete removes the watch</source>
        <translation>Enter volta à última mudança, Delete tira a vigia</translation>
    </message>
    <message>
        <source>From</source>
        <translation>A partir de</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Linha</translation>
    </message>
</context>
<context>
    <name>ptxwb::DebuggerPane</name>
    <message>
        <source>Seed</source>
        <translation>Semente</translation>
    </message>
    <message>
        <source>CTA</source>
        <translation>CTA</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Lane</translation>
    </message>
    <message>
        <source>Nothing is debugged. Alt+F5 starts the kernel on the CPU at its first instruction; F10 steps it, F11 steps it backwards, F9 sets a breakpoint on the line of the caret.</source>
        <translation>Nada está sendo depurado. Alt+F5 inicia o kernel na CPU na primeira instrução; F10 dá um passo, F11 um passo atrás, F9 põe um ponto de parada na linha do cursor.</translation>
    </message>
    <message>
        <source>Asynchronous work</source>
        <translation>Trabalho assíncrono</translation>
    </message>
    <message>
        <source>When copies and products of the tensor cores happen; for the next start</source>
        <translation>Quando acontecem as cópias e os produtos dos tensor cores; para o próximo início</translation>
    </message>
    <message>
        <source>early</source>
        <translation>cedo</translation>
    </message>
    <message>
        <source>late</source>
        <translation>tarde</translation>
    </message>
    <message>
        <source>random</source>
        <translation>aleatório</translation>
    </message>
    <message>
        <source>Which CTA runs, by its linear index; for the next start</source>
        <translation>Qual CTA executa, pelo índice linear; para o próximo início</translation>
    </message>
    <message>
        <source>Of random tensors and of the random policy; for the next start</source>
        <translation>Dos tensores aleatórios e da ordem aleatória; para o próximo início</translation>
    </message>
    <message>
        <source>Warps</source>
        <translation>Warps</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Registradores</translation>
    </message>
    <message>
        <source>Barriers</source>
        <translation>Barreiras</translation>
    </message>
    <message>
        <source>Asynchronous operations</source>
        <translation>Operações assíncronas</translation>
    </message>
    <message>
        <source>signed</source>
        <translation>com sinal</translation>
    </message>
    <message>
        <source>unsigned</source>
        <translation>sem sinal</translation>
    </message>
    <message>
        <source>float</source>
        <translation>real</translation>
    </message>
    <message>
        <source>Shown as</source>
        <translation>Mostrar como</translation>
    </message>
    <message>
        <source>Asynchronous</source>
        <translation>Assíncronas</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>Relatos</translation>
    </message>
    <message>
        <source>%1 · round %L2 · warp instructions %L3</source>
        <translation>%1 · rodada %L2 · instruções de warp %L3</translation>
    </message>
    <message>
        <source>Of an earlier text: the editor has changed since (Alt+F5 starts again). %1</source>
        <translation>De um texto anterior: o editor mudou desde então (Alt+F5 reinicia). %1</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Lugar</translation>
    </message>
    <message>
        <source>%r5, Y[3], tile+128, shared+1024</source>
        <translation>%r5, Y[3], tile+128, shared+1024</translation>
    </message>
    <message>
        <source>Stop when it changes</source>
        <translation>Parar quando mudar</translation>
    </message>
    <message>
        <source>Back to its last change</source>
        <translation>Voltar à última mudança</translation>
    </message>
    <message>
        <source>Watches</source>
        <translation>Vigias</translation>
    </message>
    <message>
        <source>Remove the watch</source>
        <translation>Tirar a vigia</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memória</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Linha do tempo</translation>
    </message>
</context>
<context>
    <name>ptxwb::DiffView</name>
    <message>
        <source>Nothing compared yet. Compile, then compare the buffer with the last build or with a file.</source>
        <translation>Nada comparado ainda. Compile e depois compare o texto com a última compilação ou com um arquivo.</translation>
    </message>
    <message>
        <source>Summary of the differences</source>
        <translation>Resumo das diferenças</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>&amp;Hide equal rows</source>
        <translation>&amp;Ocultar linhas iguais</translation>
    </message>
    <message>
        <source>&amp;Scheduling</source>
        <translation>&amp;Escalonamento</translation>
    </message>
    <message>
        <source>Also show rows that differ only in stall cycles, waits, scoreboards or reuse</source>
        <translation>Mostrar também linhas que diferem só em ciclos de espera, esperas, scoreboards ou reuso</translation>
    </message>
    <message>
        <source>Previous change (Shift+F7)</source>
        <translation>Mudança anterior (Shift+F7)</translation>
    </message>
    <message>
        <source>Previous change</source>
        <translation>Mudança anterior</translation>
    </message>
    <message>
        <source>Next change (F7)</source>
        <translation>Próxima mudança (F7)</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>Próxima mudança</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Diferenças</translation>
    </message>
    <message>
        <source>Next Change</source>
        <translation>Próxima mudança</translation>
    </message>
    <message>
        <source>Previous Change</source>
        <translation>Mudança anterior</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Copiar como Markdown</translation>
    </message>
    <message>
        <source>%1 (only in %2)</source>
        <translation>%1 (só em %2)</translation>
    </message>
    <message>
        <source>Neither side holds a kernel.</source>
        <translation>Nenhum dos lados contém um kernel.</translation>
    </message>
    <message>
        <source>equal %L1</source>
        <translation>iguais %L1</translation>
    </message>
    <message>
        <source>no changes</source>
        <translation>sem mudanças</translation>
    </message>
    <message>
        <source>changes: %L1</source>
        <translation>mudanças: %L1</translation>
    </message>
    <message>
        <source>change %L1 of %L2</source>
        <translation>mudança %L1 de %L2</translation>
    </message>
</context>
<context>
    <name>ptxwb::EvidenceModel</name>
    <message>
        <source>Command: %1</source>
        <translation>Comando: %1</translation>
    </message>
    <message>
        <source>Artefact: sha256 %1</source>
        <translation>Artefato: sha256 %1</translation>
    </message>
    <message>
        <source>Reason: %1</source>
        <translation>Motivo: %1</translation>
    </message>
    <message>
        <source>Claim</source>
        <translation>Afirmação</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valor</translation>
    </message>
    <message>
        <source>How</source>
        <translation>Como</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Ferramenta</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Motivo</translation>
    </message>
</context>
<context>
    <name>ptxwb::EvidenceView</name>
    <message>
        <source>Evidence</source>
        <translation>Evidências</translation>
    </message>
    <message>
        <source>Copy as TSV</source>
        <translation>Copiar como TSV</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Copiar como Markdown</translation>
    </message>
    <message>
        <source>The chosen claim</source>
        <translation>A afirmação escolhida</translation>
    </message>
</context>
<context>
    <name>ptxwb::FamilyChips</name>
    <message>
        <source>Show only rows of this family; several add up</source>
        <translation>Mostrar só linhas desta família; várias se somam</translation>
    </message>
    <message>
        <source>Filter %1, rows: %2</source>
        <translation>Filtro %1, linhas: %2</translation>
    </message>
</context>
<context>
    <name>ptxwb::FileController</name>
    <message>
        <source>The last starts did not end well, so the last session was not opened. Nothing of it is lost.</source>
        <translation>Os últimos inícios não terminaram bem, por isso a última sessão não foi aberta. Nada dela se perdeu.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Changes to %1 that were not saved have been restored.</source>
        <translation>Mudanças em %1 que não haviam sido salvas foram restauradas.</translation>
    </message>
    <message>
        <source>Back to the file</source>
        <translation>Voltar ao arquivo</translation>
    </message>
    <message>
        <source>Open a kernel</source>
        <translation>Abrir um kernel</translation>
    </message>
    <message>
        <source>Save the kernel</source>
        <translation>Salvar o kernel</translation>
    </message>
    <message>
        <source>Kernels (*.ptx *.cu);;All files (*)</source>
        <translation>Kernels (*.ptx *.cu);;Todos os arquivos (*)</translation>
    </message>
    <message>
        <source>Unsaved text cannot be kept: %1</source>
        <translation>O texto não salvo não pode ser guardado: %1</translation>
    </message>
    <message>
        <source>%1 was changed by another program.</source>
        <translation>%1 foi alterado por outro programa.</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Manter o meu</translation>
    </message>
    <message>
        <source>Line %1 is %L2 bytes long: only its first part is drawn. The whole of it is kept and compiled.</source>
        <translation>A linha %1 tem %L2 bytes: só o começo é desenhado. Ela é mantida e compilada por inteiro.</translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>Linha %1</translation>
    </message>
    <message>
        <source>… and %L1 more lines</source>
        <translation>… e mais %L1 linhas</translation>
    </message>
    <message>
        <source>The lines are the same.</source>
        <translation>As linhas são as mesmas.</translation>
    </message>
    <message>
        <source>Not saved: %1 has changed on disk since it was read here.</source>
        <translation>Não foi salvo: %1 mudou no disco desde que foi lido aqui.</translation>
    </message>
    <message>
        <source>Your text of %1 that was not saved is back, but the file has changed on disk since.</source>
        <translation>Seu texto de %1 que não foi salvo está de volta, mas o arquivo mudou no disco desde então.</translation>
    </message>
    <message>
        <source>Show the difference</source>
        <translation>Mostrar a diferença</translation>
    </message>
    <message>
        <source>Take the disk&apos;s</source>
        <translation>Ficar com o do disco</translation>
    </message>
    <message>
        <source>Save mine over it</source>
        <translation>Salvar o meu por cima</translation>
    </message>
    <message>
        <source>%1: on disk (−) and here (+)</source>
        <translation>%1: no disco (−) e aqui (+)</translation>
    </message>
</context>
<context>
    <name>ptxwb::FindBar</name>
    <message>
        <source>Match &amp;case</source>
        <translation>Diferenciar &amp;maiúsculas</translation>
    </message>
    <message>
        <source>Whole &amp;word</source>
        <translation>Palavra &amp;inteira</translation>
    </message>
    <message>
        <source>Rege&amp;x</source>
        <translation>Rege&amp;x</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Localizar</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>Substituir por</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>Ocorrência anterior (Shift+F3)</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>Próxima ocorrência (F3)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Fechar (Esc)</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Substituir</translation>
    </message>
    <message>
        <source>Replace this match and go to the next one</source>
        <translation>Substituir esta ocorrência e ir para a próxima</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>Substituir todas</translation>
    </message>
    <message>
        <source>Replace every match, as one step of undo</source>
        <translation>Substituir todas as ocorrências, como um só passo de desfazer</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>Nenhuma ocorrência</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 ou mais</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n ocorrência</numerusform>
            <numerusform>%n ocorrências</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n replaced</source>
        <translation>
            <numerusform>%n substituída</numerusform>
            <numerusform>%n substituídas</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::FindingsModel</name>
    <message>
        <source>Mend: %1</source>
        <translation>Correção: %1</translation>
    </message>
    <message>
        <source>Kernel: %1</source>
        <translation>Kernel: %1</translation>
    </message>
    <message>
        <source>Met by: %1</source>
        <translation>Encontrado por: %1</translation>
    </message>
    <message>
        <source>Schedule: %1</source>
        <translation>Escalonamento: %1</translation>
    </message>
    <message>
        <source>Seen %L1 times</source>
        <translation>Visto %L1 vezes</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Achado</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Linhas</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>O que aconteceu</translation>
    </message>
    <message>
        <source>How to mend it</source>
        <translation>Como corrigir</translation>
    </message>
    <message>
        <source>Seen at least %L1 times; the run was stopped then, since its verdict was decided</source>
        <translation>Visto pelo menos %L1 vezes; a execução foi parada então, pois o seu veredito estava decidido</translation>
    </message>
    <message>
        <source>PTX %1</source>
        <translation>PTX %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::FindingsView</name>
    <message>
        <source>Findings of the emulator</source>
        <translation>Achados do emulador</translation>
    </message>
    <message>
        <source>Open in the debugger, at its step</source>
        <translation>Abrir no depurador, no passo dele</translation>
    </message>
</context>
<context>
    <name>ptxwb::FixController</name>
    <message>
        <source>Nothing was changed: the problems are those of an earlier text. Compile again (Ctrl+Enter), then apply the fix.</source>
        <translation>Nada foi mudado: os problemas são de um texto anterior. Compile de novo (Ctrl+Enter) e depois aplique a correção.</translation>
    </message>
    <message>
        <source>Applied: %1</source>
        <translation>Aplicado: %1</translation>
    </message>
    <message>
        <source>No cause here has a fix.</source>
        <translation>Nenhuma causa aqui tem correção.</translation>
    </message>
    <message numerus="yes">
        <source>Applied %n fix(es) as one step</source>
        <translation>
            <numerusform>%n correção aplicada em um só passo</numerusform>
            <numerusform>%n correções aplicadas em um só passo</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out, changing the same place as another</source>
        <translation>
            <numerusform>%n deixada de fora, pois muda o mesmo lugar que outra</numerusform>
            <numerusform>%n deixadas de fora, pois mudam o mesmo lugar que outra</numerusform>
        </translation>
    </message>
    <message>
        <source>No fix is known for this line. F8 goes to the next problem.</source>
        <translation>Não se conhece correção para esta linha. F8 vai ao próximo problema.</translation>
    </message>
    <message>
        <source>Apply &amp;all fixes</source>
        <translation>Aplicar tod&amp;as as correções</translation>
    </message>
</context>
<context>
    <name>ptxwb::HistoryController</name>
    <message>
        <source>Evaluated, but not kept in the history: %1</source>
        <translation>Avaliado, mas não guardado no histórico: %1</translation>
    </message>
    <message>
        <source>The history cannot be read: %1</source>
        <translation>O histórico não pode ser lido: %1</translation>
    </message>
    <message>
        <source>Evaluation %1 is of the task %2, which is not among the tasks here. `ptxwb history show %1` prints it.</source>
        <translation>A avaliação %1 é da tarefa %2, que não está entre as tarefas daqui. `ptxwb history show %1` a imprime.</translation>
    </message>
    <message>
        <source>Evaluation %1 from the history</source>
        <translation>Avaliação %1 do histórico</translation>
    </message>
    <message>
        <source>The text of evaluation %1 was not kept.</source>
        <translation>O texto da avaliação %1 não foi guardado.</translation>
    </message>
    <message>
        <source>The text of evaluation %1, without a name: Save as gives it one</source>
        <translation>O texto da avaliação %1, sem nome: Salvar como lhe dá um</translation>
    </message>
</context>
<context>
    <name>ptxwb::HistoryModel</name>
    <message>
        <source>untitled</source>
        <translation>sem título</translation>
    </message>
    <message>
        <source>emulator</source>
        <translation>emulador</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>não executado</translation>
    </message>
    <message>
        <source>Evaluation %1 of %2, for %3, by version %4
Text: %5</source>
        <translation>Avaliação %1 de %2, para %3, pela versão %4
Texto: %5</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>Feita em</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>Candidato</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Tarefa</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Carga</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Veredito</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Aceleração</translation>
    </message>
    <message>
        <source>Cold µs</source>
        <translation>µs a frio</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Onde</translation>
    </message>
</context>
<context>
    <name>ptxwb::HistoryPane</name>
    <message>
        <source>Show the result</source>
        <translation>Mostrar o resultado</translation>
    </message>
    <message>
        <source>Open its text</source>
        <translation>Abrir o texto</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Ler de novo</translation>
    </message>
    <message>
        <source>Filter by words</source>
        <translation>Filtrar por palavras</translation>
    </message>
    <message>
        <source>Evaluations</source>
        <translation>Avaliações</translation>
    </message>
    <message>
        <source>The history is read when this pane is first shown.</source>
        <translation>O histórico é lido quando este painel é mostrado pela primeira vez.</translation>
    </message>
    <message numerus="yes">
        <source>the newest %n evaluation(s); `ptxwb history` lists all</source>
        <translation>
            <numerusform>a %n avaliação mais recente; `ptxwb history` lista todas</numerusform>
            <numerusform>as %n avaliações mais recentes; `ptxwb history` lista todas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n evaluation(s)</source>
        <translation>
            <numerusform>%n avaliação</numerusform>
            <numerusform>%n avaliações</numerusform>
        </translation>
    </message>
    <message>
        <source>No evaluation has been kept yet. Each that F5 or `ptxwb eval` makes appears here, with the text that it was made of.</source>
        <translation>Nenhuma avaliação foi guardada ainda. Cada uma que F5 ou `ptxwb eval` fizer aparece aqui, com o texto de que foi feita.</translation>
    </message>
</context>
<context>
    <name>ptxwb::HoverCard</name>
    <message>
        <source>Error</source>
        <translation>Erro</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Aviso</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Needs PTX %1 and %2.</source>
        <translation>Requer PTX %1 e %2.</translation>
    </message>
    <message>
        <source>Open in the PTX ISA manual</source>
        <translation>Abrir no manual da ISA PTX</translation>
    </message>
    <message>
        <source>Fix (Ctrl+.): %1</source>
        <translation>Correção (Ctrl+.): %1</translation>
    </message>
    <message numerus="yes">
        <source>Declared in line %1; %n more place(s) (F12 goes there, F7 to the next).</source>
        <translation>
            <numerusform>Declarado na linha %1; mais %n lugar (F12 vai até lá, F7 ao próximo).</numerusform>
            <numerusform>Declarado na linha %1; mais %n lugares (F12 vai até lá, F7 ao próximo).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::HunkView</name>
    <message>
        <source>Lines %1–%2</source>
        <translation>Linhas %1–%2</translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>Linha %1</translation>
    </message>
    <message>
        <source>Before line %1</source>
        <translation>Antes da linha %1</translation>
    </message>
    <message>
        <source>−%1</source>
        <translation>−%1</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>%1   %2</source>
        <translation>%1   %2</translation>
    </message>
    <message>
        <source>⚠ You changed this place since the question: not applied.</source>
        <translation>⚠ Você mudou este lugar desde a pergunta: não aplicado.</translation>
    </message>
    <message>
        <source>Only missing from the answer: stays unless you check this.</source>
        <translation>Apenas ausente da resposta: fica, a menos que você marque.</translation>
    </message>
</context>
<context>
    <name>ptxwb::KeyStore</name>
    <message>
        <source>The system keychain does not take the key (%1). Is a keychain service running? An environment variable will do as well.</source>
        <translation>O chaveiro do sistema não aceita a chave (%1). Há um serviço de chaveiro em execução? Uma variável de ambiente também serve.</translation>
    </message>
    <message>
        <source>This program was built without the system keychain.</source>
        <translation>Este programa foi compilado sem o chaveiro do sistema.</translation>
    </message>
</context>
<context>
    <name>ptxwb::LoopLabel</name>
    <message>
        <source>issue slots between products: %1</source>
        <translation>espaços de emissão entre produtos: %1</translation>
    </message>
    <message>
        <source>issue slots between products: %1 to %2</source>
        <translation>espaços de emissão entre produtos: %1 a %2</translation>
    </message>
    <message>
        <source>rows: %1</source>
        <translation>linhas: %1</translation>
    </message>
    <message>
        <source>tensor core products: %1</source>
        <translation>produtos dos tensor cores: %1</translation>
    </message>
    <message>
        <source>waits for them: %1</source>
        <translation>esperas por eles: %1</translation>
    </message>
    <message>
        <source>TMA copies: %1</source>
        <translation>cópias TMA: %1</translation>
    </message>
    <message>
        <source>CTA barriers: %1</source>
        <translation>barreiras da CTA: %1</translation>
    </message>
    <message>
        <source>Main loop &lt;a href=&quot;%1&quot;&gt;%2 to %3&lt;/a&gt;: %4</source>
        <translation>Laço principal &lt;a href=&quot;%1&quot;&gt;%2 a %3&lt;/a&gt;: %4</translation>
    </message>
    <message>
        <source>mbarrier wait rows: %1</source>
        <translation>linhas de espera em mbarrier: %1</translation>
    </message>
    <message>
        <source>local memory accesses: %1</source>
        <translation>acessos à memória local: %1</translation>
    </message>
    <message>
        <source>Issuing one trip takes %L1 cycles by its stall fields; the products themselves take longer. Rows out of line, such as the retries of a wait: %2.</source>
        <translation>Emitir uma volta leva %L1 ciclos pelos campos de espera; os produtos em si demoram mais. Linhas fora da sequência, como as repetições de uma espera: %2.</translation>
    </message>
    <message>
        <source>cp.async copies: %1</source>
        <translation>cópias cp.async: %1</translation>
    </message>
    <message>
        <source>loads from global memory: %1</source>
        <translation>leituras da memória global: %1</translation>
    </message>
    <message>
        <source>loads from shared memory: %1</source>
        <translation>leituras da memória compartilhada: %1</translation>
    </message>
    <message>
        <source>stores: %1</source>
        <translation>escritas: %1</translation>
    </message>
    <message>
        <source>atomics: %1</source>
        <translation>operações atômicas: %1</translation>
    </message>
    <message>
        <source>waits for groups of copies: %1</source>
        <translation>esperas por grupos de cópias: %1</translation>
    </message>
    <message>
        <source>cluster barriers: %1</source>
        <translation>barreiras de cluster: %1</translation>
    </message>
    <message>
        <source>Issuing one trip takes %L1 to %L2 cycles by its stall fields, by the way it takes; the products themselves take longer. Rows out of line, such as the retries of a wait: %3.</source>
        <translation>Emitir uma volta leva de %L1 a %L2 ciclos pelos campos de espera, conforme o caminho; os produtos em si demoram mais. Linhas fora da sequência, como as repetições de uma espera: %3.</translation>
    </message>
</context>
<context>
    <name>ptxwb::MainWindow</name>
    <message>
        <source>compiles PTX</source>
        <translation>compila PTX</translation>
    </message>
    <message>
        <source>compiles CUDA</source>
        <translation>compila CUDA</translation>
    </message>
    <message>
        <source>shows machine code with lines</source>
        <translation>mostra código de máquina com linhas</translation>
    </message>
    <message>
        <source>opens programs and libraries</source>
        <translation>abre programas e bibliotecas</translation>
    </message>
    <message>
        <source>Text size, in the editor</source>
        <translation>Tamanho do texto, no editor</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>roda do mouse</translation>
    </message>
    <message>
        <source>Still looking for the tools.</source>
        <translation>Ainda procurando as ferramentas.</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>ausente</translation>
    </message>
    <message>
        <source>Still looking for a GPU.</source>
        <translation>Ainda procurando uma GPU.</translation>
    </message>
    <message>
        <source>✓ GPU: %1 (%2), driver %3</source>
        <translation>✓ GPU: %1 (%2), driver %3</translation>
    </message>
    <message>
        <source>✗ No GPU to run on: %1</source>
        <translation>✗ Nenhuma GPU para executar: %1</translation>
    </message>
    <message>
        <source>The command &lt;code&gt;ptxwb doctor&lt;/code&gt; says more.</source>
        <translation>O comando &lt;code&gt;ptxwb doctor&lt;/code&gt; diz mais.</translation>
    </message>
    <message>
        <source>Write, inspect, check and time architecture-specific PTX kernels.</source>
        <translation>Escreva, inspecione, verifique e cronometre kernels PTX específicos de arquitetura.</translation>
    </message>
    <message>
        <source>The sources are under the Apache License 2.0. This window uses QScintilla and Qt Charts, which are under the GNU GPL version 3; the program as a whole is therefore distributed under the GNU GPL version 3. It links none of NVIDIA&apos;s libraries: kernels run in ptxwb-runner, a program of its own.</source>
        <translation>O código-fonte está sob a Licença Apache 2.0. Esta janela usa QScintilla e Qt Charts, que estão sob a GNU GPL versão 3; por isso o programa como um todo é distribuído sob a GNU GPL versão 3. Ele não se liga a nenhuma biblioteca da NVIDIA: os kernels são executados em ptxwb-runner, um programa à parte.</translation>
    </message>
    <message>
        <source>Nothing is compared yet. The Compare menu sets the text in the editor against a file, or against the build before this one.</source>
        <translation>Nada foi comparado ainda. O menu Comparar confronta o texto do editor com um arquivo ou com a compilação anterior a esta.</translation>
    </message>
    <message>
        <source>Cannot compare: %1</source>
        <translation>Não é possível comparar: %1</translation>
    </message>
    <message>
        <source>Unsaved changes to %1 are still here; %2 was not opened.</source>
        <translation>Mudanças não salvas em %1 ainda estão aqui; %2 não foi aberto.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Choose a task and a workload in the tool bar first: they say what the kernel is checked against.</source>
        <translation>Escolha antes uma tarefa e uma carga na barra de ferramentas: elas dizem contra o que o kernel é verificado.</translation>
    </message>
    <message>
        <source>Still looking for the tools; try again in a moment.</source>
        <translation>Ainda procurando as ferramentas; tente de novo em um instante.</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Atalhos de teclado</translation>
    </message>
    <message>
        <source>What is here</source>
        <translation>O que há aqui</translation>
    </message>
    <message>
        <source>About PTX Workbench</source>
        <translation>Sobre o PTX Workbench</translation>
    </message>
    <message>
        <source>&amp;Forget these</source>
        <translation>&amp;Esquecer estes</translation>
    </message>
    <message>
        <source>Compare the editor with</source>
        <translation>Comparar o editor com</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Comparando…</translation>
    </message>
    <message>
        <source>There is no earlier build to compare with yet: change the text and compile it. Then this shows what changed in the machine code.</source>
        <translation>Ainda não há compilação anterior para comparar: mude o texto e compile. Então isto mostra o que mudou no código de máquina.</translation>
    </message>
    <message>
        <source>Export the speed-ups</source>
        <translation>Exportar as acelerações</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Gravado: %1</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Seleção</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Problemas</translation>
    </message>
    <message>
        <source>Verdict and evidence</source>
        <translation>Veredito e evidências</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Tarefa</translation>
    </message>
    <message>
        <source>Editor</source>
        <translation>Editor</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparar</translation>
    </message>
    <message>
        <source>SASS</source>
        <translation>SASS</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Resultados</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Aceleração</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Conversa</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Mudanças não salvas</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 tem mudanças que não foram salvas.</translation>
    </message>
    <message>
        <source>Kernels (*.ptx *.cu *.cuh);;All files (*)</source>
        <translation>Kernels (*.ptx *.cu *.cuh);;Todos os arquivos (*)</translation>
    </message>
    <message>
        <source>Go to line</source>
        <translation>Ir para a linha</translation>
    </message>
    <message>
        <source>Line (1 to %1):</source>
        <translation>Linha (1 a %1):</translation>
    </message>
    <message>
        <source>Main</source>
        <translation>Principal</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Arquivo</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Novo</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Abrir…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Abrir &amp;recente</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Salvar</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Salvar &amp;como…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Sai&amp;r</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Editar</translation>
    </message>
    <message>
        <source>&amp;Undo	Ctrl+Z</source>
        <translation>&amp;Desfazer	Ctrl+Z</translation>
    </message>
    <message>
        <source>&amp;Redo	Ctrl+Y</source>
        <translation>&amp;Refazer	Ctrl+Y</translation>
    </message>
    <message>
        <source>Cu&amp;t	Ctrl+X</source>
        <translation>Recor&amp;tar	Ctrl+X</translation>
    </message>
    <message>
        <source>&amp;Copy	Ctrl+C</source>
        <translation>&amp;Copiar	Ctrl+C</translation>
    </message>
    <message>
        <source>&amp;Paste	Ctrl+V</source>
        <translation>Co&amp;lar	Ctrl+V</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Localizar…</translation>
    </message>
    <message>
        <source>R&amp;eplace…</source>
        <translation>S&amp;ubstituir…</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>Localizar pró&amp;ximo</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>Localizar &amp;anterior</translation>
    </message>
    <message>
        <source>&amp;Go to line…</source>
        <translation>&amp;Ir para a linha…</translation>
    </message>
    <message>
        <source>Toggle co&amp;mment</source>
        <translation>Alternar co&amp;mentário</translation>
    </message>
    <message>
        <source>Fold or unfold &amp;all</source>
        <translation>Dobrar ou desdo&amp;brar tudo</translation>
    </message>
    <message>
        <source>&amp;What is this instruction?</source>
        <translation>&amp;O que é esta instrução?</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>E&amp;xibir</translation>
    </message>
    <message>
        <source>Layout: &amp;Edit</source>
        <translation>Arranjo: &amp;Editar</translation>
    </message>
    <message>
        <source>Layout: &amp;Inspect</source>
        <translation>Arranjo: &amp;Inspecionar</translation>
    </message>
    <message>
        <source>Layout: &amp;Compare</source>
        <translation>Arranjo: &amp;Comparar</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>&amp;Restaurar arranjo</translation>
    </message>
    <message>
        <source>&amp;Panes</source>
        <translation>&amp;Painéis</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Tema</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>&amp;Sistema</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Claro</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Escuro</translation>
    </message>
    <message>
        <source>Larger &amp;text</source>
        <translation>&amp;Texto maior</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>Texto &amp;menor</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>Tamanho &amp;normal do texto</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>E&amp;xecutar</translation>
    </message>
    <message>
        <source>&amp;Compile</source>
        <translation>&amp;Compilar</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Compilar</translation>
    </message>
    <message>
        <source>&amp;Evaluate</source>
        <translation>&amp;Avaliar</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>Avaliar</translation>
    </message>
    <message>
        <source>Ca&amp;ncel</source>
        <translation>Ca&amp;ncelar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Compile after every e&amp;dit</source>
        <translation>Compilar após cada e&amp;dição</translation>
    </message>
    <message>
        <source>Compile and show the SASS (Ctrl+Enter)</source>
        <translation>Compilar e mostrar o SASS (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Check the kernel against the task and time it (F5)</source>
        <translation>Verificar o kernel contra a tarefa e cronometrá-lo (F5)</translation>
    </message>
    <message>
        <source>Stop what runs (Esc)</source>
        <translation>Parar o que está em execução (Esc)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Comparar</translation>
    </message>
    <message>
        <source>Editor against a &amp;file…</source>
        <translation>Editor contra um &amp;arquivo…</translation>
    </message>
    <message>
        <source>Editor against the &amp;last build</source>
        <translation>Editor contra a ú&amp;ltima compilação</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>Aj&amp;uda</translation>
    </message>
    <message>
        <source>&amp;Find a command…</source>
        <translation>&amp;Procurar um comando…</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Atalhos de teclado</translation>
    </message>
    <message>
        <source>What is &amp;here (doctor)</source>
        <translation>O que há a&amp;qui (doctor)</translation>
    </message>
    <message>
        <source>&amp;About PTX Workbench</source>
        <translation>&amp;Sobre o PTX Workbench</translation>
    </message>
    <message>
        <source>There is no problem to go to.</source>
        <translation>Não há problema para onde ir.</translation>
    </message>
    <message>
        <source>Float in a window of its own</source>
        <translation>Soltar em uma janela própria</translation>
    </message>
    <message>
        <source>Hide; View, Panes brings it back</source>
        <translation>Ocultar; Exibir, Painéis o traz de volta</translation>
    </message>
    <message>
        <source>Next pro&amp;blem</source>
        <translation>Próximo pro&amp;blema</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>Problema anterior</translation>
    </message>
    <message>
        <source>&amp;Go to pane</source>
        <translation>&amp;Ir para o painel</translation>
    </message>
    <message>
        <source>&amp;Editor</source>
        <translation>&amp;Editor</translation>
    </message>
    <message>
        <source>&amp;SASS</source>
        <translation>&amp;SASS</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>&amp;Chat</translation>
    </message>
    <message>
        <source>&amp;Problems</source>
        <translation>&amp;Problemas</translation>
    </message>
    <message>
        <source>&amp;Results</source>
        <translation>&amp;Resultados</translation>
    </message>
    <message>
        <source>&amp;Task</source>
        <translation>&amp;Tarefa</translation>
    </message>
    <message>
        <source>Speed-&amp;up</source>
        <translation>&amp;Aceleração</translation>
    </message>
    <message>
        <source>C&amp;ompare</source>
        <translation>C&amp;omparar</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>Pró&amp;ximo painel</translation>
    </message>
    <message>
        <source>Pre&amp;vious pane</source>
        <translation>Painel an&amp;terior</translation>
    </message>
    <message>
        <source>Theme: %1</source>
        <translation>Tema: %1</translation>
    </message>
    <message>
        <source>Go to pane: %1</source>
        <translation>Ir para o painel: %1</translation>
    </message>
    <message>
        <source>There is no task &apos;%1&apos;. There are: %2.</source>
        <translation>Não há a tarefa &apos;%1&apos;. Há: %2.</translation>
    </message>
    <message>
        <source>There is no workload &apos;%1&apos;: no task is chosen. Choose one with --task.</source>
        <translation>Não há a carga &apos;%1&apos;: nenhuma tarefa foi escolhida. Escolha uma com --task.</translation>
    </message>
    <message>
        <source>The task has no workload &apos;%1&apos;. It has: %2.</source>
        <translation>A tarefa não tem a carga &apos;%1&apos;. Ela tem: %2.</translation>
    </message>
    <message>
        <source>A folder of answers</source>
        <translation>Uma pasta de respostas</translation>
    </message>
    <message>
        <source>This program was built without cmark, by which answers are taken apart: %1 was not looked through.</source>
        <translation>Este programa foi compilado sem o cmark, que separa as partes das respostas: %1 não foi examinada.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Execução</translation>
    </message>
    <message>
        <source>Triage</source>
        <translation>Triagem</translation>
    </message>
    <message>
        <source>Fi&amp;x this problem…</source>
        <translation>&amp;Corrigir este problema…</translation>
    </message>
    <message>
        <source>App&amp;ly all fixes</source>
        <translation>Ap&amp;licar todas as correções</translation>
    </message>
    <message>
        <source>Hide pane: %1</source>
        <translation>Esconder painel: %1</translation>
    </message>
    <message>
        <source>Show pane: %1</source>
        <translation>Mostrar painel: %1</translation>
    </message>
    <message>
        <source>Ru&amp;n</source>
        <translation>&amp;Execução</translation>
    </message>
    <message>
        <source>Tr&amp;iage</source>
        <translation>Tr&amp;iagem</translation>
    </message>
    <message>
        <source>&amp;Run by its own plan</source>
        <translation>Executar pelo próprio &amp;plano</translation>
    </message>
    <message>
        <source>Run the kernel on the CPU under three schedules, without a task (Ctrl+F5)</source>
        <translation>Executa o kernel na CPU sob três escalonamentos, sem tarefa (Ctrl+F5)</translation>
    </message>
    <message>
        <source>&amp;Triage a folder of answers…</source>
        <translation>&amp;Triagem de uma pasta de respostas…</translation>
    </message>
    <message>
        <source>The report is of another text than the one in the editor: evaluate it again (F5).</source>
        <translation>O relato é de outro texto que não o do editor: avalie de novo (F5).</translation>
    </message>
    <message>
        <source>Debugger</source>
        <translation>Depurador</translation>
    </message>
    <message>
        <source>&amp;Debugger</source>
        <translation>&amp;Depurador</translation>
    </message>
    <message>
        <source>&amp;Debug</source>
        <translation>&amp;Depurar</translation>
    </message>
    <message>
        <source>&amp;Start, or start again</source>
        <translation>&amp;Iniciar, ou reiniciar</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Iniciar</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Continuar</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>&amp;Step one instruction of the warp</source>
        <translation>Um &amp;passo do warp</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Passo</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>Passo &amp;atrás</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>To the &amp;next warp&apos;s turn</source>
        <translation>Até a vez do p&amp;róximo warp</translation>
    </message>
    <message>
        <source>Next warp</source>
        <translation>Próximo warp</translation>
    </message>
    <message>
        <source>&amp;Run to the caret&apos;s line</source>
        <translation>&amp;Executar até a linha do cursor</translation>
    </message>
    <message>
        <source>To the caret</source>
        <translation>Até o cursor</translation>
    </message>
    <message>
        <source>&amp;End</source>
        <translation>E&amp;ncerrar</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Encerrar</translation>
    </message>
    <message>
        <source>Set or remove a brea&amp;kpoint</source>
        <translation>Pôr ou tirar um ponto de &amp;parada</translation>
    </message>
    <message>
        <source>Save the timeline</source>
        <translation>Salvar a linha do tempo</translation>
    </message>
    <message>
        <source>Breakpoint at line %1</source>
        <translation>Ponto de parada na linha %1</translation>
    </message>
    <message>
        <source>Stops when a lane has, for example, %r5 == 3 (empty: always)</source>
        <translation>Para quando alguma lane tem, por exemplo, %r5 == 3 (vazio: sempre)</translation>
    </message>
    <message>
        <source>Not understood: a register, one of == != &lt; &lt;= &gt; &gt;=, and a whole number are needed.</source>
        <translation>Não entendido: são precisos um registrador, um de == != &lt; &lt;= &gt; &gt;= e um número inteiro.</translation>
    </message>
    <message>
        <source>Breakpoint with a con&amp;dition…</source>
        <translation>Ponto de parada com con&amp;dição…</translation>
    </message>
    <message>
        <source>Go to &amp;declaration</source>
        <translation>Ir à &amp;declaração</translation>
    </message>
    <message>
        <source>Next u&amp;se of the name</source>
        <translation>Próximo u&amp;so do nome</translation>
    </message>
    <message>
        <source>Previous use of the name</source>
        <translation>Uso anterior do nome</translation>
    </message>
    <message>
        <source>C&amp;omplete</source>
        <translation>C&amp;ompletar</translation>
    </message>
    <message>
        <source>Complete while typin&amp;g</source>
        <translation>Completar durante a di&amp;gitação</translation>
    </message>
    <message>
        <source>Rena&amp;me…</source>
        <translation>Reno&amp;mear…</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Histórico</translation>
    </message>
    <message>
        <source>&amp;History</source>
        <translation>&amp;Histórico</translation>
    </message>
</context>
<context>
    <name>ptxwb::MemoryView</name>
    <message>
        <source>From</source>
        <translation>A partir de</translation>
    </message>
    <message>
        <source>Shown as</source>
        <translation>Mostrar como</translation>
    </message>
    <message>
        <source>its own type</source>
        <translation>o próprio tipo</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memória</translation>
    </message>
    <message>
        <source>Y[3], tile+128, shared+1024, %descA</source>
        <translation>Y[3], tile+128, shared+1024, %descA</translation>
    </message>
    <message>
        <source>Lies</source>
        <translation>Disposição</translation>
    </message>
    <message>
        <source>A matrix in shared memory: rows as TMA writes them under a swizzle, or as wgmma reads them through the descriptor in a 64-bit register</source>
        <translation>Uma matriz na memória compartilhada: linhas como o TMA as escreve sob um swizzle, ou como o wgmma as lê pelo descritor num registrador de 64 bits</translation>
    </message>
    <message>
        <source>byte by byte</source>
        <translation>byte a byte</translation>
    </message>
    <message>
        <source>in rows</source>
        <translation>em linhas</translation>
    </message>
    <message>
        <source>in rows, swizzle 32 B</source>
        <translation>em linhas, swizzle 32 B</translation>
    </message>
    <message>
        <source>in rows, swizzle 64 B</source>
        <translation>em linhas, swizzle 64 B</translation>
    </message>
    <message>
        <source>in rows, swizzle 128 B</source>
        <translation>em linhas, swizzle 128 B</translation>
    </message>
    <message>
        <source>by descriptor, K-major</source>
        <translation>por descritor, K-major</translation>
    </message>
    <message>
        <source>by descriptor, M/N-major</source>
        <translation>por descritor, M/N-major</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Linhas</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Colunas</translation>
    </message>
</context>
<context>
    <name>ptxwb::MessageView</name>
    <message>
        <source>The answer is still being written</source>
        <translation>A resposta ainda está sendo escrita</translation>
    </message>
    <message>
        <source>The connection ended early: the code may be incomplete, so it is not applied</source>
        <translation>A conexão terminou antes da hora: o código pode estar incompleto, por isso não é aplicado</translation>
    </message>
    <message>
        <source>The answer was stopped: the code may be incomplete, so it is not applied</source>
        <translation>A resposta foi interrompida: o código pode estar incompleto, por isso não é aplicado</translation>
    </message>
    <message>
        <source>The answer failed: its code is not applied</source>
        <translation>A resposta falhou: seu código não é aplicado</translation>
    </message>
    <message>
        <source>⚠ Check the end of the code before you apply it.</source>
        <translation>⚠ Confira o fim do código antes de aplicá-lo.</translation>
    </message>
    <message>
        <source>✗ Broken off: nothing of this answer is applied.</source>
        <translation>✗ Interrompida no meio: nada desta resposta é aplicado.</translation>
    </message>
    <message>
        <source>■ Stopped: nothing of this answer is applied.</source>
        <translation>■ Parada: nada desta resposta é aplicado.</translation>
    </message>
    <message>
        <source>✗ No usable answer.</source>
        <translation>✗ Nenhuma resposta aproveitável.</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Sent with it: %1</source>
        <translation>Enviado junto: %1</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Editar</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Tentar de novo</translation>
    </message>
    <message>
        <source>Change this question and send it again; what follows it is dropped</source>
        <translation>Alterar esta pergunta e enviá-la de novo; o que vem depois é descartado</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Você</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modelo</translation>
    </message>
    <message>
        <source>%1 tokens in, %2 out</source>
        <translation>%1 tokens de entrada, %2 de saída</translation>
    </message>
    <message>
        <source>writing…</source>
        <translation>escrevendo…</translation>
    </message>
    <message numerus="yes">
        <source>Reasoning (%n characters)</source>
        <translation>
            <numerusform>Raciocínio (%n caractere)</numerusform>
            <numerusform>Raciocínio (%n caracteres)</numerusform>
        </translation>
    </message>
    <message>
        <source>Not sent with later questions: it had no whole answer.</source>
        <translation>Não vai junto com as perguntas seguintes: não teve resposta inteira.</translation>
    </message>
    <message>
        <source>Show more (%1 of the text not drawn)</source>
        <translation>Mostrar mais (%1 do texto não desenhados)</translation>
    </message>
</context>
<context>
    <name>ptxwb::NameController</name>
    <message>
        <source>The caret is on no register, variable, parameter, label or function that this PTX declares.</source>
        <translation>O cursor não está em nenhum registrador, variável, parâmetro, rótulo ou função que este PTX declara.</translation>
    </message>
    <message>
        <source>Nothing is known to go on with here.</source>
        <translation>Não se sabe com o que continuar aqui.</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Renomear</translation>
    </message>
    <message>
        <source>New name of %1:</source>
        <translation>Novo nome de %1:</translation>
    </message>
    <message>
        <source>Not renamed: %1</source>
        <translation>Não renomeado: %1</translation>
    </message>
    <message>
        <source>Renamed to %1.</source>
        <translation>Renomeado para %1.</translation>
    </message>
</context>
<context>
    <name>ptxwb::NoticeBar</name>
    <message>
        <source>Close</source>
        <translation>Fechar</translation>
    </message>
</context>
<context>
    <name>ptxwb::OutputsModel</name>
    <message>
        <source>not known</source>
        <translation>não se sabe</translation>
    </message>
    <message>
        <source>none</source>
        <translation>nada</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Saída</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>Menor</translation>
    </message>
    <message>
        <source>Greatest</source>
        <translation>Maior</translation>
    </message>
    <message>
        <source>Values that are not a number</source>
        <translation>Valores que não são números</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Elements that no thread wrote; integers cannot tell</source>
        <translation>Elementos que nenhuma thread escreveu; com inteiros não se sabe</translation>
    </message>
    <message>
        <source>Not written</source>
        <translation>Não escritos</translation>
    </message>
    <message>
        <source>Between schedules whose bits differ: normwise, relative</source>
        <translation>Entre escalonamentos cujos bits diferem: pela norma, relativo</translation>
    </message>
    <message>
        <source>Differs by</source>
        <translation>Difere em</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>Primeiros valores</translation>
    </message>
</context>
<context>
    <name>ptxwb::PhasesView</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Progress of the evaluation</source>
        <translation>Progresso da avaliação</translation>
    </message>
</context>
<context>
    <name>ptxwb::ProblemDetail</name>
    <message>
        <source>The chosen problem</source>
        <translation>O problema escolhido</translation>
    </message>
    <message>
        <source>Choose a problem: what it means and how it can be mended is shown here.</source>
        <translation>Escolha um problema: o que ele significa e como pode ser corrigido aparece aqui.</translation>
    </message>
    <message>
        <source>The tool names no line for this note: its kernel begins at the line shown.</source>
        <translation>A ferramenta não diz a linha desta nota: o kernel começa na linha mostrada.</translation>
    </message>
    <message>
        <source>The line is ours: found through the line table.</source>
        <translation>A linha é nossa: achada pela tabela de linhas.</translation>
    </message>
    <message numerus="yes">
        <source>%n further message(s) follow from it and stand folded beneath it.</source>
        <translation>
            <numerusform>%n outra mensagem decorre dele e está dobrada embaixo.</numerusform>
            <numerusform>%n outras mensagens decorrem dele e estão dobradas embaixo.</numerusform>
        </translation>
    </message>
    <message>
        <source>⚠ The text has changed since this was found. Compile again (Ctrl+Enter) before a fix is applied.</source>
        <translation>⚠ O texto mudou desde que isto foi achado. Compile de novo (Ctrl+Enter) antes de aplicar uma correção.</translation>
    </message>
    <message>
        <source>No mechanical fix is known for it.</source>
        <translation>Não se conhece correção mecânica para ele.</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>Correção: %1</translation>
    </message>
    <message>
        <source>Apply (Ctrl+.)</source>
        <translation>Aplicar (Ctrl+.)</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Aplicar</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>Aplicar: %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more line(s)</source>
        <translation>
            <numerusform>e mais %n linha</numerusform>
            <numerusform>e mais %n linhas</numerusform>
        </translation>
    </message>
    <message>
        <source>Usual cause (our guess): %1</source>
        <translation>Causa habitual (palpite nosso): %1</translation>
    </message>
    <message>
        <source>Look for (our guess): %1</source>
        <translation>Procure (palpite nosso): %1</translation>
    </message>
    <message>
        <source>Registers used by its kernel: %1.</source>
        <translation>Registradores usados por seu kernel: %1.</translation>
    </message>
    <message>
        <source>The tool names no line for this note: the setmaxnreg that it is about is shown.</source>
        <translation>A ferramenta não indica linha para esta nota: mostra-se o setmaxnreg de que ela trata.</translation>
    </message>
    <message numerus="yes">
        <source>The same note stands at %n more place(s), folded beneath it.</source>
        <translation>
            <numerusform>A mesma nota está em mais %n lugar, recolhido abaixo dela.</numerusform>
            <numerusform>A mesma nota está em mais %n lugares, recolhidos abaixo dela.</numerusform>
        </translation>
    </message>
    <message>
        <source>Fix (not tried with the compiler): %1</source>
        <translation>Correção (não testada com o compilador): %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::ProblemsModel</name>
    <message>
        <source>Fatal</source>
        <translation>Fatal</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Erro</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Aviso</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Gravidade</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Linha</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>Coluna</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Mensagem</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Ferramenta</translation>
    </message>
    <message>
        <source>follows</source>
        <translation>decorre</translation>
    </message>
    <message numerus="yes">
        <source>%n fix(es)</source>
        <translation>
            <numerusform>%n correção</numerusform>
            <numerusform>%n correções</numerusform>
        </translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>Correção</translation>
    </message>
</context>
<context>
    <name>ptxwb::ProblemsView</name>
    <message>
        <source>Problems</source>
        <translation>Problemas</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Apply all fixes</source>
        <translation>Aplicar todas as correções</translation>
    </message>
    <message>
        <source>The first fix of every cause, as one step that Undo takes back</source>
        <translation>A primeira correção de cada causa, em um passo que Desfazer reverte</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problema</numerusform>
            <numerusform>%n problemas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) that follow from them</source>
        <translation>
            <numerusform>%n mensagem que decorre deles</numerusform>
            <numerusform>%n mensagens que decorrem deles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with a fix</source>
        <translation>
            <numerusform>%n com correção</numerusform>
            <numerusform>%n com correção</numerusform>
        </translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>Aplicar: %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::ProviderDialog</name>
    <message>
        <source>&amp;Variable:</source>
        <translation>&amp;Variável:</translation>
    </message>
    <message>
        <source>&amp;Key:</source>
        <translation>&amp;Chave:</translation>
    </message>
    <message>
        <source>&amp;Test connection</source>
        <translation>&amp;Testar conexão</translation>
    </message>
    <message>
        <source>Chat provider</source>
        <translation>Provedor da conversa</translation>
    </message>
    <message>
        <source>Choose a known server…</source>
        <translation>Escolher um servidor conhecido…</translation>
    </message>
    <message>
        <source>empty: the server&apos;s own choice</source>
        <translation>vazio: a escolha do próprio servidor</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>Sem chave</translation>
    </message>
    <message>
        <source>Environment variable</source>
        <translation>Variável de ambiente</translation>
    </message>
    <message>
        <source>System keychain</source>
        <translation>Chaveiro do sistema</translation>
    </message>
    <message>
        <source>empty: the stored key stays</source>
        <translation>vazio: a chave guardada fica</translation>
    </message>
    <message>
        <source>The key is kept nowhere else: not in the settings, not in logs or exports.</source>
        <translation>A chave não é guardada em nenhum outro lugar: nem nas configurações, nem em logs ou exportações.</translation>
    </message>
    <message>
        <source>&amp;Server:</source>
        <translation>&amp;Servidor:</translation>
    </message>
    <message>
        <source>&amp;Name:</source>
        <translation>&amp;Nome:</translation>
    </message>
    <message>
        <source>&amp;Address:</source>
        <translation>&amp;Endereço:</translation>
    </message>
    <message>
        <source>&amp;Model:</source>
        <translation>&amp;Modelo:</translation>
    </message>
    <message>
        <source>Key &amp;from:</source>
        <translation>Chave &amp;de:</translation>
    </message>
    <message>
        <source>Asking %1 …</source>
        <translation>Perguntando a %1 …</translation>
    </message>
    <message>
        <source>⚠ The key would travel unencrypted to %1.</source>
        <translation>⚠ A chave viajaria sem criptografia até %1.</translation>
    </message>
</context>
<context>
    <name>ptxwb::PtxEditor</name>
    <message>
        <source>Kernel text</source>
        <translation>Texto do kernel</translation>
    </message>
</context>
<context>
    <name>ptxwb::ResourcesStrip</name>
    <message>
        <source>Resources of the kernels</source>
        <translation>Recursos dos kernels</translation>
    </message>
    <message>
        <source>Not compiled yet. Ctrl+Enter compiles.</source>
        <translation>Ainda não compilado. Ctrl+Enter compila.</translation>
    </message>
    <message numerus="yes">
        <source>%n register(s)</source>
        <translation>
            <numerusform>%n registrador</numerusform>
            <numerusform>%n registradores</numerusform>
        </translation>
    </message>
    <message>
        <source>no spills</source>
        <translation>sem derramamentos</translation>
    </message>
    <message>
        <source>⚠ %1 bytes spilled</source>
        <translation>⚠ %1 bytes derramados</translation>
    </message>
    <message>
        <source>%1 bytes static shared</source>
        <translation>%1 bytes estáticos compartilhados</translation>
    </message>
    <message>
        <source>%1 bytes stack</source>
        <translation>%1 bytes de pilha</translation>
    </message>
    <message numerus="yes">
        <source>%n barrier(s)</source>
        <translation>
            <numerusform>%n barreira</numerusform>
            <numerusform>%n barreiras</numerusform>
        </translation>
    </message>
    <message>
        <source>This file holds no kernel (no .entry).</source>
        <translation>Este arquivo não contém kernel (nenhum .entry).</translation>
    </message>
    <message numerus="yes">
        <source>%1   (+%n more)</source>
        <translation>
            <numerusform>%1   (+%n outro)</numerusform>
            <numerusform>%1   (+%n outros)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::ResultDisplay</name>
    <message>
        <source>Evaluating</source>
        <translation>Avaliando</translation>
    </message>
    <message>
        <source>Esc stops it.</source>
        <translation>Esc interrompe.</translation>
    </message>
    <message>
        <source>Evaluating…</source>
        <translation>Avaliando…</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Cancelada</translation>
    </message>
    <message>
        <source>The evaluation was stopped; nothing is claimed.</source>
        <translation>A avaliação foi interrompida; nada é afirmado.</translation>
    </message>
    <message>
        <source>Evaluation stopped</source>
        <translation>Avaliação interrompida</translation>
    </message>
    <message>
        <source>Not evaluated</source>
        <translation>Não avaliado</translation>
    </message>
    <message>
        <source>Not evaluated: %1</source>
        <translation>Não avaliado: %1</translation>
    </message>
    <message>
        <source>Evaluated: %1</source>
        <translation>Avaliado: %1</translation>
    </message>
    <message>
        <source>No task is chosen. Choose one in the tool bar: it says what the kernel must compute, how exact it must be and which instructions it is asked to use.</source>
        <translation>Nenhuma tarefa escolhida. Escolha uma na barra de ferramentas: ela diz o que o kernel deve calcular, com que exatidão e quais instruções se pede que use.</translation>
    </message>
    <message>
        <source>F5 evaluates the kernel on the chosen workload.</source>
        <translation>F5 avalia o kernel na carga escolhida.</translation>
    </message>
    <message>
        <source>No measured speed-up: no task is chosen. Choose one in the tool bar; its recorded runs are then shown here.</source>
        <translation>Nenhuma aceleração medida: nenhuma tarefa escolhida. Escolha uma na barra de ferramentas; suas execuções gravadas aparecem aqui.</translation>
    </message>
    <message>
        <source>F5 times the kernel against the library.</source>
        <translation>F5 cronometra o kernel contra a biblioteca.</translation>
    </message>
    <message>
        <source>This machine cannot time a kernel (%1).</source>
        <translation>Esta máquina não pode cronometrar um kernel (%1).</translation>
    </message>
    <message>
        <source>No measured speed-up yet for this task. %1 Recorded runs of the task appear here when there are any.</source>
        <translation>Nenhuma aceleração medida ainda para esta tarefa. %1 Execuções gravadas da tarefa aparecem aqui quando existem.</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Aceleração</translation>
    </message>
    <message>
        <source>Speed-up (%1)</source>
        <translation>Aceleração (%1)</translation>
    </message>
    <message>
        <source>Other workloads of the task have some: choose one in the tool bar.</source>
        <translation>Outras cargas da tarefa têm: escolha uma na barra de ferramentas.</translation>
    </message>
    <message>
        <source>%1 has not been evaluated against %2, so the speed-ups of that task are not shown beside it. F5 evaluates it; choosing the task in the tool bar shows the recorded runs.</source>
        <translation>%1 não foi avaliado em %2, por isso as acelerações dessa tarefa não são mostradas ao lado dele. F5 o avalia; escolher a tarefa na barra de ferramentas mostra as execuções gravadas.</translation>
    </message>
    <message>
        <source>Choose a task in the tool bar, then F5 evaluates the kernel. A kernel whose launch plan declares its own tensors runs without a task: Ctrl+F5.</source>
        <translation>Escolha uma tarefa na barra de ferramentas; depois F5 avalia o kernel. Um kernel cujo plano de lançamento declara os próprios tensores é executado sem tarefa: Ctrl+F5.</translation>
    </message>
</context>
<context>
    <name>ptxwb::ResultsPane</name>
    <message>
        <source>Evaluation to show</source>
        <translation>Avaliação a mostrar</translation>
    </message>
    <message>
        <source>Evaluations made here, and recorded ones of the chosen task</source>
        <translation>Avaliações feitas aqui e as gravadas da tarefa escolhida</translation>
    </message>
    <message>
        <source>Not evaluated</source>
        <translation>Não avaliado</translation>
    </message>
    <message>
        <source>No evidence yet. F5 evaluates the kernel; every claim then has a row here, with what was measured, by which tool, or why it was not.</source>
        <translation>Ainda sem evidências. F5 avalia o kernel; cada afirmação tem então uma linha aqui, com o que foi medido, por qual ferramenta, ou por que não foi.</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>sem título</translation>
    </message>
    <message>
        <source>a machine without a GPU</source>
        <translation>uma máquina sem GPU</translation>
    </message>
    <message>
        <source>recorded on %1, %2</source>
        <translation>gravado em %1, %2</translation>
    </message>
    <message>
        <source>of an earlier text</source>
        <translation>de um texto anterior</translation>
    </message>
    <message>
        <source>of another text than the one in the editor</source>
        <translation>de outro texto que não o do editor</translation>
    </message>
    <message>
        <source>Choose a run to look at: made here, or recorded</source>
        <translation>Escolha uma execução para ver: feita aqui ou gravada</translation>
    </message>
    <message>
        <source>Goal missed: %1.</source>
        <translation>Objetivo não atingido: %1.</translation>
    </message>
    <message>
        <source>Recorded run of another text with this file name, not of the text in the editor: F5 evaluates that.</source>
        <translation>Execução gravada de outro texto com este nome de arquivo, não do texto no editor: F5 avalia o do editor.</translation>
    </message>
    <message>
        <source>An evaluation from the history, of another text than the one in the editor: the pane History opens that text.</source>
        <translation>Uma avaliação do histórico, de outro texto que não o do editor: o painel Histórico abre esse texto.</translation>
    </message>
    <message>
        <source>from the history, %1</source>
        <translation>do histórico, %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::RowReading</name>
    <message>
        <source>further rows</source>
        <translation>outras linhas</translation>
    </message>
    <message>
        <source>scoreboard %1, which no row before sets</source>
        <translation>scoreboard %1, que nenhuma linha anterior marca</translation>
    </message>
    <message>
        <source>scoreboard %1, set by %2</source>
        <translation>scoreboard %1, marcado por %2</translation>
    </message>
    <message>
        <source>Waits for %1.</source>
        <translation>Espera: %1.</translation>
    </message>
    <message>
        <source>The chosen row in words</source>
        <translation>A linha escolhida em palavras</translation>
    </message>
    <message>
        <source>Choose a row: what it does and whom it waits for is said here.</source>
        <translation>Escolha uma linha: o que ela faz e por quem espera é dito aqui.</translation>
    </message>
    <message>
        <source>This opcode is not known here.</source>
        <translation>Este opcode não é conhecido aqui.</translation>
    </message>
    <message>
        <source>Our reading: %1.</source>
        <translation>Nossa leitura: %1.</translation>
    </message>
    <message>
        <source>Live registers: %1.</source>
        <translation>Registradores vivos: %1.</translation>
    </message>
    <message>
        <source>%1; for it waits %2</source>
        <translation>%1; espera por ele %2</translation>
    </message>
    <message>
        <source>Sets scoreboard %1 until its result is written</source>
        <translation>Marca o scoreboard %1 até o resultado ser escrito</translation>
    </message>
    <message>
        <source>Sets scoreboard %1 until its sources are read</source>
        <translation>Marca o scoreboard %1 até as fontes serem lidas</translation>
    </message>
    <message>
        <source>groups of wgmma that end with %1</source>
        <translation>grupos de wgmma que terminam com %1</translation>
    </message>
    <message>
        <source>Ends a group of wgmma; for it waits %1</source>
        <translation>Termina um grupo de wgmma; quem espera por ele: %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::RunController</name>
    <message>
        <source>Run stopped</source>
        <translation>Execução interrompida</translation>
    </message>
    <message>
        <source>The editor is empty. Open a kernel (Ctrl+O) or write one.</source>
        <translation>O editor está vazio. Abra um kernel (Ctrl+O) ou escreva um.</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>Executando…</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>Linha %1: %2</translation>
    </message>
    <message>
        <source>Not run: %1</source>
        <translation>Não executado: %1</translation>
    </message>
    <message>
        <source>Run: nothing was reported</source>
        <translation>Execução: nada foi relatado</translation>
    </message>
    <message numerus="yes">
        <source>Run: %n finding(s)</source>
        <translation>
            <numerusform>Execução: %n achado</numerusform>
            <numerusform>Execução: %n achados</numerusform>
        </translation>
    </message>
    <message>
        <source>A plan was put in at the top. Correct shapes and grid, then run (Ctrl+F5).</source>
        <translation>Um plano foi posto no início. Corrija formas e grade e depois execute (Ctrl+F5).</translation>
    </message>
    <message>
        <source>The text has changed since this run, so its lines may have moved. Run again (Ctrl+F5).</source>
        <translation>O texto mudou desde esta execução, e as linhas podem ter mudado de lugar. Execute de novo (Ctrl+F5).</translation>
    </message>
    <message>
        <source>A CUDA source is emulated as the PTX that nvcc makes of it, and there is no nvcc here. Help &gt; What is here (doctor) tells what to install.</source>
        <translation>Um fonte CUDA é emulado como o PTX que o nvcc faz dele, e aqui não há nvcc. Ajuda &gt; O que há aqui (doctor) diz o que instalar.</translation>
    </message>
</context>
<context>
    <name>ptxwb::RunPane</name>
    <message>
        <source>Run (Ctrl+F5)</source>
        <translation>Executar (Ctrl+F5)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Insert a plan to begin with</source>
        <translation>Inserir um plano para começar</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semente</translation>
    </message>
    <message>
        <source>Of random tensors and of the random schedules</source>
        <translation>Dos tensores aleatórios e dos escalonamentos aleatórios</translation>
    </message>
    <message>
        <source>Random schedules</source>
        <translation>Escalonamentos aleatórios</translation>
    </message>
    <message>
        <source>How many random schedules are tried, from the seed on</source>
        <translation>Quantos escalonamentos aleatórios são tentados, a partir da semente</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Segundos</translation>
    </message>
    <message>
        <source>That one schedule may take</source>
        <translation>Que um escalonamento pode levar</translation>
    </message>
    <message>
        <source>What the kernel wrote</source>
        <translation>O que o kernel escreveu</translation>
    </message>
    <message>
        <source>A launch plan made from the kernel&apos;s parameters, to be corrected: what a parameter means cannot be known</source>
        <translation>Um plano de lançamento feito dos parâmetros do kernel, a ser corrigido: não se pode saber o que um parâmetro significa</translation>
    </message>
    <message>
        <source>Running under all schedules…</source>
        <translation>Executando sob todos os escalonamentos…</translation>
    </message>
    <message>
        <source>Nothing was reported</source>
        <translation>Nada foi relatado</translation>
    </message>
    <message>
        <source>Schedules: %1 · runs %2 · seed %3 · %4 s · %5</source>
        <translation>Escalonamentos: %1 · execuções %2 · semente %3 · %4 s · %5</translation>
    </message>
    <message>
        <source>Stopped; nothing is claimed. Ctrl+F5 runs again.</source>
        <translation>Interrompido; nada se afirma. Ctrl+F5 executa de novo.</translation>
    </message>
    <message>
        <source>Of an earlier text: the editor has changed since.</source>
        <translation>De um texto anterior: o editor mudou desde então.</translation>
    </message>
    <message>
        <source>Not run yet. Ctrl+F5 runs the kernel on the CPU under three schedules, without a task: its launch plan declares the tensors. What it wrote and what was found is shown here.</source>
        <translation>Ainda não executado. Ctrl+F5 executa o kernel na CPU sob três escalonamentos, sem tarefa: o plano de lançamento declara os tensores. O que ele escreveu e o que foi achado aparece aqui.</translation>
    </message>
</context>
<context>
    <name>ptxwb::SassDiffModel</name>
    <message>
        <source>opcode</source>
        <translation>opcode</translation>
    </message>
    <message>
        <source>modifier</source>
        <translation>modificador</translation>
    </message>
    <message>
        <source>predicate</source>
        <translation>predicado</translation>
    </message>
    <message>
        <source>immediate</source>
        <translation>imediato</translation>
    </message>
    <message>
        <source>operand</source>
        <translation>operando</translation>
    </message>
    <message>
        <source>target</source>
        <translation>destino</translation>
    </message>
    <message>
        <source>stall</source>
        <translation>espera fixa</translation>
    </message>
    <message>
        <source>yield</source>
        <translation>cessão</translation>
    </message>
    <message>
        <source>write barrier</source>
        <translation>barreira de escrita</translation>
    </message>
    <message>
        <source>read barrier</source>
        <translation>barreira de leitura</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>espera</translation>
    </message>
    <message>
        <source>reuse</source>
        <translation>reuso</translation>
    </message>
    <message>
        <source>⋯ 1 equal row</source>
        <translation>⋯ 1 linha igual</translation>
    </message>
    <message>
        <source>⋯ %L1 equal rows</source>
        <translation>⋯ %L1 linhas iguais</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Endereço</translation>
    </message>
    <message>
        <source>Offset in the kernel</source>
        <translation>Deslocamento no kernel</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Mudança</translation>
    </message>
    <message>
        <source>What differs; an arrow names the address moved to or from</source>
        <translation>O que difere; uma seta indica o endereço de origem ou destino</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>igual</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>alterada</translation>
    </message>
    <message>
        <source>added</source>
        <translation>adicionada</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>removida</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>movida</translation>
    </message>
    <message>
        <source>scheduling differs</source>
        <translation>escalonamento difere</translation>
    </message>
</context>
<context>
    <name>ptxwb::SassFindBar</name>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>Anterior (Shift+Enter)</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Ocorrência anterior</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>Próxima (Enter)</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Próxima ocorrência</translation>
    </message>
    <message>
        <source>Find in the listing</source>
        <translation>Localizar na listagem</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Não encontrado</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
</context>
<context>
    <name>ptxwb::SassModel</name>
    <message>
        <source>Loop depth %1</source>
        <translation>Profundidade de laço %1</translation>
    </message>
    <message>
        <source>Waits until these scoreboards are free: %1</source>
        <translation>Espera até estes scoreboards ficarem livres: %1</translation>
    </message>
    <message>
        <source>Our reading: the compiler&apos;s line table leaves wgmma out, so the n-th row gets the n-th wgmma.</source>
        <translation>Leitura nossa: a tabela de linhas do compilador omite wgmma, então a n-ésima linha recebe o n-ésimo wgmma.</translation>
    </message>
    <message>
        <source>The compiler&apos;s line table has no entry for this row.</source>
        <translation>A tabela de linhas do compilador não tem entrada para esta linha.</translation>
    </message>
    <message>
        <source>inlined at %1:%2</source>
        <translation>expandido em %1:%2</translation>
    </message>
    <message>
        <source>Stall cycles; the scheduler may switch to another warp</source>
        <translation>Ciclos de espera; o escalonador pode trocar de warp</translation>
    </message>
    <message>
        <source>Stall cycles</source>
        <translation>Ciclos de espera</translation>
    </message>
    <message>
        <source>Offset in the kernel, and the label that stands there</source>
        <translation>Deslocamento no kernel e o rótulo que está ali</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Endereço</translation>
    </message>
    <message>
        <source>Guard: the row has an effect only where this predicate holds</source>
        <translation>Guarda: a linha só tem efeito onde este predicado vale</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>Guarda</translation>
    </message>
    <message>
        <source>Opcode with modifiers; bars show loops</source>
        <translation>Opcode com modificadores; barras mostram laços</translation>
    </message>
    <message>
        <source>Opcode</source>
        <translation>Opcode</translation>
    </message>
    <message>
        <source>Results first, then sources</source>
        <translation>Primeiro resultados, depois fontes</translation>
    </message>
    <message>
        <source>Operands</source>
        <translation>Operandos</translation>
    </message>
    <message>
        <source>Scoreboards that the row waits for before it is issued</source>
        <translation>Scoreboards que a linha espera antes de ser emitida</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Espera</translation>
    </message>
    <message>
        <source>Scoreboards that the row sets: W until its result is written, R until its sources are read</source>
        <translation>Scoreboards que a linha ocupa: W até o resultado ser escrito, R até as fontes serem lidas</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Ocupa</translation>
    </message>
    <message>
        <source>Cycles before the next row of the warp; Y: the scheduler may switch warps</source>
        <translation>Ciclos até a próxima linha do warp; Y: o escalonador pode trocar de warp</translation>
    </message>
    <message>
        <source>Stall</source>
        <translation>Ciclos</translation>
    </message>
    <message>
        <source>Instruction families</source>
        <translation>Famílias de instruções</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Família</translation>
    </message>
    <message>
        <source>Line of the PTX</source>
        <translation>Linha do PTX</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>Line of the CUDA source</source>
        <translation>Linha do fonte CUDA</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Fonte</translation>
    </message>
    <message>
        <source>wgmma</source>
        <translation>wgmma</translation>
    </message>
    <message>
        <source>TMA</source>
        <translation>TMA</translation>
    </message>
    <message>
        <source>bulk copy</source>
        <translation>cópia em bloco</translation>
    </message>
    <message>
        <source>mbarrier</source>
        <translation>mbarrier</translation>
    </message>
    <message>
        <source>tcgen05</source>
        <translation>tcgen05</translation>
    </message>
    <message>
        <source>cp.async</source>
        <translation>cp.async</translation>
    </message>
    <message>
        <source>ldmatrix</source>
        <translation>ldmatrix</translation>
    </message>
    <message>
        <source>mma</source>
        <translation>mma</translation>
    </message>
    <message>
        <source>setmaxnreg</source>
        <translation>setmaxnreg</translation>
    </message>
    <message>
        <source>cluster</source>
        <translation>cluster</translation>
    </message>
    <message>
        <source>warpgroup</source>
        <translation>warpgroup</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>barreira</translation>
    </message>
    <message>
        <source>global</source>
        <translation>global</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>compartilhada</translation>
    </message>
    <message>
        <source>local</source>
        <translation>local</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>desvio</translation>
    </message>
    <message>
        <source>%1 is set by %2</source>
        <translation>%1 é marcado por %2</translation>
    </message>
    <message>
        <source>%1 is set by further rows</source>
        <translation>%1 é marcado por outras linhas</translation>
    </message>
    <message>
        <source>This opcode is not known here.</source>
        <translation>Este opcode não é conhecido aqui.</translation>
    </message>
    <message>
        <source>Our reading: %1</source>
        <translation>Nossa leitura: %1</translation>
    </message>
    <message>
        <source>The most of this kernel</source>
        <translation>O máximo deste kernel</translation>
    </message>
    <message>
        <source>General registers that hold a value still needed, by nvdisasm</source>
        <translation>Registradores gerais com um valor ainda necessário, segundo o nvdisasm</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Vivos</translation>
    </message>
    <message>
        <source>Waits for the group of wgmma that ends with %1</source>
        <translation>Espera pelo grupo de wgmma que termina com %1</translation>
    </message>
    <message>
        <source>code of %1:%2, inlined here</source>
        <translation>código de %1:%2, expandido aqui</translation>
    </message>
</context>
<context>
    <name>ptxwb::SassView</name>
    <message>
        <source>No machine code yet. Compile to see it here (Ctrl+Enter).</source>
        <translation>Ainda sem código de máquina. Compile para vê-lo aqui (Ctrl+Enter).</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Machine code</source>
        <translation>Código de máquina</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Localizar…</translation>
    </message>
    <message>
        <source>Find Next</source>
        <translation>Localizar próxima</translation>
    </message>
    <message>
        <source>Find Previous</source>
        <translation>Localizar anterior</translation>
    </message>
    <message>
        <source>Go to Branch Target</source>
        <translation>Ir ao destino do desvio</translation>
    </message>
    <message>
        <source>Copy Rows</source>
        <translation>Copiar linhas</translation>
    </message>
    <message>
        <source>Show All Rows</source>
        <translation>Mostrar todas as linhas</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>The object holds no kernel. Does the file have an .entry?</source>
        <translation>O objeto não contém kernel. O arquivo tem um .entry?</translation>
    </message>
    <message>
        <source>registers %1</source>
        <translation>registradores %1</translation>
    </message>
    <message>
        <source>no spills</source>
        <translation>sem derramamentos</translation>
    </message>
    <message>
        <source>spilled %L1 bytes</source>
        <translation>%L1 bytes derramados</translation>
    </message>
    <message>
        <source>shared %L1 bytes</source>
        <translation>compartilhada %L1 bytes</translation>
    </message>
    <message>
        <source>barriers %1</source>
        <translation>barreiras %1</translation>
    </message>
    <message>
        <source>1 row hidden by the filter. Show all</source>
        <translation>1 linha oculta pelo filtro. Mostrar todas</translation>
    </message>
    <message>
        <source>%L1 rows hidden by the filter. Show all</source>
        <translation>%L1 linhas ocultas pelo filtro. Mostrar todas</translation>
    </message>
    <message>
        <source>instructions %L1</source>
        <translation>instruções %L1</translation>
    </message>
    <message>
        <source>no line map</source>
        <translation>sem mapa de linhas</translation>
    </message>
    <message>
        <source>no encodings, so no control codes</source>
        <translation>sem codificação, portanto sem códigos de controle</translation>
    </message>
    <message>
        <source>lines not understood: %1</source>
        <translation>linhas não entendidas: %1</translation>
    </message>
    <message>
        <source>Go to the Row That Sets the Scoreboard</source>
        <translation>Ir à linha que marca o scoreboard</translation>
    </message>
    <message>
        <source>at most %1 registers live at once</source>
        <translation>no máximo %1 registradores vivos ao mesmo tempo</translation>
    </message>
    <message>
        <source>no live registers: %1</source>
        <translation>sem registradores vivos: %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::SpeedupChart</name>
    <message>
        <source>Speed-up against the library</source>
        <translation>Aceleração em relação à biblioteca</translation>
    </message>
    <message>
        <source>measured here</source>
        <translation>medido aqui</translation>
    </message>
    <message>
        <source>recorded on another machine</source>
        <translation>gravado em outra máquina</translation>
    </message>
    <message>
        <source>speed-up (%1 = 1)</source>
        <translation>aceleração (%1 = 1)</translation>
    </message>
    <message>
        <source>1.0 = %1</source>
        <translation>1,0 = %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::SpeedupPane</name>
    <message>
        <source>Export</source>
        <translation>Exportar</translation>
    </message>
    <message>
        <source>Picture (PNG)…</source>
        <translation>Imagem (PNG)…</translation>
    </message>
    <message>
        <source>Drawing (SVG)…</source>
        <translation>Desenho (SVG)…</translation>
    </message>
    <message>
        <source>Numbers (CSV)…</source>
        <translation>Números (CSV)…</translation>
    </message>
    <message>
        <source>No measured speed-up yet.</source>
        <translation>Nenhuma aceleração medida ainda.</translation>
    </message>
    <message>
        <source>Not plotted: %1</source>
        <translation>Fora do gráfico: %1</translation>
    </message>
    <message>
        <source>not timed</source>
        <translation>não cronometrado</translation>
    </message>
    <message>
        <source>its time is below the hardware&apos;s floor</source>
        <translation>seu tempo está abaixo do piso do hardware</translation>
    </message>
    <message>
        <source>no library was timed beside it</source>
        <translation>nenhuma biblioteca foi cronometrada ao lado</translation>
    </message>
    <message>
        <source>%1× against %2, 95 % interval %3 to %4</source>
        <translation>%1× em relação a %2, intervalo de 95 %: %3 a %4</translation>
    </message>
    <message numerus="yes">
        <source>medians: %1 µs, library %2 µs; %n paired round(s)</source>
        <translation>
            <numerusform>medianas: %1 µs, biblioteca %2 µs; %n rodada pareada</numerusform>
            <numerusform>medianas: %1 µs, biblioteca %2 µs; %n rodadas pareadas</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::StatusDisplay</name>
    <message>
        <source>Looking for a GPU…</source>
        <translation>Procurando uma GPU…</translation>
    </message>
    <message>
        <source>Line and column of the caret (Ctrl+G goes to a line)</source>
        <translation>Linha e coluna do cursor (Ctrl+G vai a uma linha)</translation>
    </message>
    <message>
        <source>Language of the text, by the file&apos;s name</source>
        <translation>Linguagem do texto, pelo nome do arquivo</translation>
    </message>
    <message>
        <source>No GPU</source>
        <translation>Sem GPU</translation>
    </message>
    <message>
        <source>The GPU on which kernels are checked and timed</source>
        <translation>A GPU na qual os kernels são verificados e cronometrados</translation>
    </message>
    <message>
        <source>Ln %1, Col %2</source>
        <translation>Lin %1, Col %2</translation>
    </message>
    <message>
        <source>Target chosen in the tool bar</source>
        <translation>Alvo escolhido na barra de ferramentas</translation>
    </message>
    <message>
        <source>Target of the last build, chosen automatically</source>
        <translation>Alvo da última compilação, escolhido automaticamente</translation>
    </message>
    <message>
        <source>target: automatic</source>
        <translation>alvo: automático</translation>
    </message>
    <message>
        <source>The GPU&apos;s target, sm_90a without a GPU, or the one that the text names</source>
        <translation>O alvo da GPU, sm_90a sem GPU, ou o que o texto indica</translation>
    </message>
    <message>
        <source>✗ %1  ⚠ %2</source>
        <translation>✗ %1  ⚠ %2</translation>
    </message>
    <message>
        <source>Errors and warnings of the last build (F8 goes to the next)</source>
        <translation>Erros e avisos da última compilação (F8 vai ao próximo)</translation>
    </message>
</context>
<context>
    <name>ptxwb::TaskChooser</name>
    <message>
        <source>Task</source>
        <translation>Tarefa</translation>
    </message>
    <message>
        <source>What the kernel is meant to compute</source>
        <translation>O que o kernel deve calcular</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Carga</translation>
    </message>
    <message>
        <source>The concrete shape</source>
        <translation>A forma concreta</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Alvo</translation>
    </message>
    <message>
        <source>Architecture to compile for</source>
        <translation>Arquitetura para a qual compilar</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Onde</translation>
    </message>
    <message>
        <source>Where Evaluate runs the kernel</source>
        <translation>Onde Avaliar executa o kernel</translation>
    </message>
    <message>
        <source>(loading…)</source>
        <translation>(carregando…)</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automático</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>automático</translation>
    </message>
    <message>
        <source>this GPU</source>
        <translation>esta GPU</translation>
    </message>
    <message>
        <source>the CPU emulator</source>
        <translation>o emulador na CPU</translation>
    </message>
    <message>
        <source>nowhere (compile and inspect)</source>
        <translation>em lugar nenhum (compilar e inspecionar)</translation>
    </message>
    <message>
        <source>(no task)</source>
        <translation>(sem tarefa)</translation>
    </message>
    <message>
        <source>this GPU (none found)</source>
        <translation>esta GPU (nenhuma encontrada)</translation>
    </message>
    <message>
        <source>Where Evaluate runs the kernel. Here: %1</source>
        <translation>Onde Avaliar executa o kernel. Aqui: %1</translation>
    </message>
</context>
<context>
    <name>ptxwb::TaskDetails</name>
    <message>
        <source>scalar</source>
        <translation>escalar</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Tarefa</translation>
    </message>
    <message>
        <source>Workload %1 (%2)</source>
        <translation>Carga %1 (%2)</translation>
    </message>
    <message>
        <source>input</source>
        <translation>entrada</translation>
    </message>
    <message>
        <source>output</source>
        <translation>saída</translation>
    </message>
    <message numerus="yes">
        <source>Paper&apos;s rule: an element is wrong where its absolute error exceeds %1 and its relative error exceeds %2; a trial needs %3 % right elements; %n trial(s).</source>
        <translation>
            <numerusform>Regra do artigo: um elemento está errado onde seu erro absoluto excede %1 e seu erro relativo excede %2; um teste precisa de %3 % de elementos certos; %n teste.</numerusform>
            <numerusform>Regra do artigo: um elemento está errado onde seu erro absoluto excede %1 e seu erro relativo excede %2; um teste precisa de %3 % de elementos certos; %n testes.</numerusform>
        </translation>
    </message>
    <message>
        <source>every output</source>
        <translation>toda saída</translation>
    </message>
    <message>
        <source>Strict rule: ‖x − ref‖ / ‖ref‖ ≤ %1 for %2.</source>
        <translation>Regra estrita: ‖x − ref‖ / ‖ref‖ ≤ %1 para %2.</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 em %2</translation>
    </message>
    <message>
        <source>Instructions asked for</source>
        <translation>Instruções pedidas</translation>
    </message>
    <message>
        <source>Baselines</source>
        <translation>Linhas de base</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notas</translation>
    </message>
</context>
<context>
    <name>ptxwb::TimelinePane</name>
    <message>
        <source>Save as trace…</source>
        <translation>Salvar como trace…</translation>
    </message>
    <message>
        <source>Up to here</source>
        <translation>Até aqui</translation>
    </message>
    <message>
        <source>Records from the start to where the debugger stands</source>
        <translation>Grava do início até onde o depurador está</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>Execução inteira</translation>
    </message>
    <message>
        <source>Records the whole run; the debugger stays where it stands</source>
        <translation>Grava a execução inteira; o depurador fica onde está</translation>
    </message>
    <message>
        <source>A trace for ui.perfetto.dev or chrome://tracing</source>
        <translation>Um trace para ui.perfetto.dev ou chrome://tracing</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Ajustar</translation>
    </message>
    <message>
        <source>Nothing is recorded. &quot;Up to here&quot; records what warps, copies, products and barriers did from the start to where the debugger stands, &quot;Whole run&quot; to the end.</source>
        <translation>Nada foi gravado. &quot;Até aqui&quot; grava o que warps, cópias, produtos e barreiras fizeram do início até onde o depurador está; &quot;Execução inteira&quot;, até o fim.</translation>
    </message>
    <message>
        <source>The debugger stands at the start: nothing has run yet.</source>
        <translation>O depurador está no início: nada foi executado ainda.</translation>
    </message>
    <message>
        <source>%1. Enter goes there.</source>
        <translation>%1. Enter vai até lá.</translation>
    </message>
    <message>
        <source>%L1 rounds: an order, not time.</source>
        <translation>%L1 rodadas: uma ordem, não tempo.</translation>
    </message>
    <message>
        <source>Cut there: there was more than can be shown.</source>
        <translation>Cortado ali: havia mais do que se pode mostrar.</translation>
    </message>
    <message>
        <source>The run ends there.</source>
        <translation>A execução termina ali.</translation>
    </message>
    <message>
        <source>Drag or Shift+arrows pan, Ctrl+wheel or + and - zoom, 0 fits.</source>
        <translation>Arrastar ou Shift+setas move, Ctrl+roda ou + e - aproxima, 0 ajusta.</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>executa</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>espera</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>cópia</translation>
    </message>
    <message>
        <source>product</source>
        <translation>produto</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>fase</translation>
    </message>
</context>
<context>
    <name>ptxwb::TimelineView</name>
    <message>
        <source>round</source>
        <translation>rodada</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Linha do tempo</translation>
    </message>
    <message>
        <source>%1, rounds %L2 to %L3: %4</source>
        <translation>%1, rodadas %L2 a %L3: %4</translation>
    </message>
</context>
<context>
    <name>ptxwb::TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation>Conversa</translation>
    </message>
</context>
<context>
    <name>ptxwb::TriageController</name>
    <message>
        <source>Stopped: these are the answers that were ready.</source>
        <translation>Interrompido: estas são as respostas que estavam prontas.</translation>
    </message>
    <message>
        <source>Still looking for the tools; try again in a moment.</source>
        <translation>Ainda procurando as ferramentas; tente de novo em um instante.</translation>
    </message>
    <message>
        <source>No answers are in %1. Wanted: .ptx, .cu, Markdown with code blocks, trajectories (.json), or JSON lines.</source>
        <translation>Não há respostas em %1. Procuram-se: .ptx, .cu, Markdown com blocos de código, trajetórias (.json) ou linhas JSON.</translation>
    </message>
    <message>
        <source>%1: answers %2, compile %3, do not %4, without code %5, not compiled %6</source>
        <translation>%1: respostas %2, compilam %3, não compilam %4, sem código %5, não tentadas %6</translation>
    </message>
</context>
<context>
    <name>ptxwb::TriageModel</name>
    <message>
        <source>lacks %1</source>
        <translation>falta %1</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>não lido</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>Correção: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n further cause(s)</source>
        <translation>
            <numerusform>mais %n causa</numerusform>
            <numerusform>mais %n causas</numerusform>
        </translation>
    </message>
    <message>
        <source>The two rules of extraction find different code; taken by: %1</source>
        <translation>As duas regras de extração acham códigos diferentes; tomado por: %1</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Resposta</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Resultado</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>Causa</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Linha</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Mensagem</translation>
    </message>
    <message>
        <source>Asks for</source>
        <translation>Pede</translation>
    </message>
    <message>
        <source>In SASS</source>
        <translation>No SASS</translation>
    </message>
    <message>
        <source>Said by the file</source>
        <translation>Dito pelo arquivo</translation>
    </message>
</context>
<context>
    <name>ptxwb::TriagePane</name>
    <message>
        <source>Choose a folder…</source>
        <translation>Escolher uma pasta…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Filter by words</source>
        <translation>Filtrar por palavras</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Respostas</translation>
    </message>
    <message>
        <source>Nothing has been looked through yet. Choose a folder of answers (.ptx, .cu, Markdown with code blocks, trajectories): each is compiled, none is run, and the causes of the failures are counted here.</source>
        <translation>Nada foi examinado ainda. Escolha uma pasta de respostas (.ptx, .cu, Markdown com blocos de código, trajetórias): cada uma é compilada, nenhuma é executada, e as causas das falhas são contadas aqui.</translation>
    </message>
    <message>
        <source>Looking for answers in %1…</source>
        <translation>Procurando respostas em %1…</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n answer(s) so far</source>
        <translation>
            <numerusform>%1: %n resposta até agora</numerusform>
            <numerusform>%1: %n respostas até agora</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::TriageWords</name>
    <message>
        <source>compiles</source>
        <translation>compila</translation>
    </message>
    <message>
        <source>does not compile</source>
        <translation>não compila</translation>
    </message>
    <message>
        <source>no code</source>
        <translation>sem código</translation>
    </message>
    <message>
        <source>not tried</source>
        <translation>não tentada</translation>
    </message>
    <message>
        <source>wrong target</source>
        <translation>alvo errado</translation>
    </message>
    <message>
        <source>needs a newer .version</source>
        <translation>precisa de .version mais nova</translation>
    </message>
    <message>
        <source>unknown instruction or modifier</source>
        <translation>instrução ou modificador desconhecido</translation>
    </message>
    <message>
        <source>modifiers, types or values that do not go together</source>
        <translation>modificadores, tipos ou valores que não combinam</translation>
    </message>
    <message>
        <source>operands: number, kind or width</source>
        <translation>operandos: número, espécie ou largura</translation>
    </message>
    <message>
        <source>address of another state space</source>
        <translation>endereço de outro espaço de estado</translation>
    </message>
    <message>
        <source>undeclared name</source>
        <translation>nome não declarado</translation>
    </message>
    <message>
        <source>declared twice</source>
        <translation>declarado duas vezes</translation>
    </message>
    <message>
        <source>syntax</source>
        <translation>sintaxe</translation>
    </message>
    <message>
        <source>does not begin as PTX does</source>
        <translation>não começa como PTX</translation>
    </message>
    <message>
        <source>a character that is not ASCII</source>
        <translation>um caractere que não é ASCII</translation>
    </message>
    <message>
        <source>too much shared memory</source>
        <translation>memória compartilhada demais</translation>
    </message>
    <message>
        <source>registers</source>
        <translation>registradores</translation>
    </message>
    <message>
        <source>asm operands and constraints</source>
        <translation>operandos e restrições de asm</translation>
    </message>
    <message>
        <source>a header that is not there</source>
        <translation>um cabeçalho que não existe</translation>
    </message>
    <message>
        <source>C++: types and names</source>
        <translation>C++: tipos e nomes</translation>
    </message>
    <message>
        <source>linking</source>
        <translation>ligação</translation>
    </message>
    <message>
        <source>the answer ends within its code</source>
        <translation>a resposta termina dentro do código</translation>
    </message>
    <message>
        <source>not text</source>
        <translation>não é texto</translation>
    </message>
    <message>
        <source>no code in the answer</source>
        <translation>sem código na resposta</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>não pode ser lida</translation>
    </message>
    <message>
        <source>a tool is missing here</source>
        <translation>falta uma ferramenta aqui</translation>
    </message>
    <message>
        <source>the compiler took too long</source>
        <translation>o compilador demorou demais</translation>
    </message>
    <message>
        <source>the compiler crashed</source>
        <translation>o compilador caiu</translation>
    </message>
    <message>
        <source>other</source>
        <translation>outra</translation>
    </message>
</context>
<context>
    <name>ptxwb::VerdictBanner</name>
    <message>
        <source>Verdict</source>
        <translation>Veredito</translation>
    </message>
</context>
<context>
    <name>ptxwb::WelcomeController</name>
    <message>
        <source>Welcome</source>
        <translation>Boas-vindas</translation>
    </message>
</context>
<context>
    <name>ptxwb::WelcomePane</name>
    <message>
        <source>Welcome</source>
        <translation>Boas-vindas</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Começar</translation>
    </message>
    <message>
        <source>New kernel</source>
        <translation>Novo kernel</translation>
    </message>
    <message>
        <source>Ctrl+N</source>
        <translation>Ctrl+N</translation>
    </message>
    <message>
        <source>Open a .ptx or .cu file…</source>
        <translation>Abrir um arquivo .ptx ou .cu…</translation>
    </message>
    <message>
        <source>Ctrl+O</source>
        <translation>Ctrl+O</translation>
    </message>
    <message>
        <source>Paste a kernel</source>
        <translation>Colar um kernel</translation>
    </message>
    <message>
        <source>Ctrl+V</source>
        <translation>Ctrl+V</translation>
    </message>
    <message>
        <source>Find a command…</source>
        <translation>Procurar um comando…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>See the machine code that a kernel becomes, check what it computes, time it against the library.</source>
        <translation>Veja o código de máquina em que um kernel se torna, verifique o que ele calcula, cronometre-o contra a biblioteca.</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Recentes</translation>
    </message>
    <message>
        <source>Files that you open are listed here.</source>
        <translation>Os arquivos que você abrir aparecem aqui.</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Exemplos</translation>
    </message>
    <message>
        <source>Looking for them…</source>
        <translation>Procurando…</translation>
    </message>
</context>
</TS>
