<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ptxwb::BuildDisplay</name>
    <message numerus="yes">
        <source>✗ Does not compile: %n error(s)</source>
        <translation>
            <numerusform>✗ Does not compile: %n error</numerusform>
            <numerusform>✗ Does not compile: %n errors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::FindBar</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n replaced</source>
        <translation>
            <numerusform>%n replaced</numerusform>
            <numerusform>%n replaced</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::FixController</name>
    <message numerus="yes">
        <source>Applied %n fix(es) as one step</source>
        <translation>
            <numerusform>Applied %n fix as one step</numerusform>
            <numerusform>Applied %n fixes as one step</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out, changing the same place as another</source>
        <translation>
            <numerusform>%n left out, changing the same place as another</numerusform>
            <numerusform>%n left out, changing the same place as another</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::HistoryPane</name>
    <message numerus="yes">
        <source>the newest %n evaluation(s); `ptxwb history` lists all</source>
        <translation>
            <numerusform>the newest %n evaluation; `ptxwb history` lists all</numerusform>
            <numerusform>the newest %n evaluations; `ptxwb history` lists all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n evaluation(s)</source>
        <translation>
            <numerusform>%n evaluation</numerusform>
            <numerusform>%n evaluations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::HoverCard</name>
    <message numerus="yes">
        <source>Declared in line %1; %n more place(s) (F12 goes there, F7 to the next).</source>
        <translation>
            <numerusform>Declared in line %1; %n more place (F12 goes there, F7 to the next).</numerusform>
            <numerusform>Declared in line %1; %n more places (F12 goes there, F7 to the next).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::MessageView</name>
    <message numerus="yes">
        <source>Reasoning (%n characters)</source>
        <translation>
            <numerusform>Reasoning (%n character)</numerusform>
            <numerusform>Reasoning (%n characters)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::ProblemDetail</name>
    <message numerus="yes">
        <source>%n further message(s) follow from it and stand folded beneath it.</source>
        <translation>
            <numerusform>%n further message follows from it and stands folded beneath it.</numerusform>
            <numerusform>%n further messages follow from it and stand folded beneath it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more line(s)</source>
        <translation>
            <numerusform>and %n more line</numerusform>
            <numerusform>and %n more lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The same note stands at %n more place(s), folded beneath it.</source>
        <translation>
            <numerusform>The same note stands at %n more place, folded beneath it.</numerusform>
            <numerusform>The same note stands at %n more places, folded beneath it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::ProblemsModel</name>
    <message numerus="yes">
        <source>%n fix(es)</source>
        <translation>
            <numerusform>%n fix</numerusform>
            <numerusform>%n fixes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::ProblemsView</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) that follow from them</source>
        <translation>
            <numerusform>%n message that follows</numerusform>
            <numerusform>%n messages that follow from them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with a fix</source>
        <translation>
            <numerusform>%n with a fix</numerusform>
            <numerusform>%n with a fix</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::ResourcesStrip</name>
    <message numerus="yes">
        <source>%n register(s)</source>
        <translation>
            <numerusform>%n register</numerusform>
            <numerusform>%n registers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n barrier(s)</source>
        <translation>
            <numerusform>%n barrier</numerusform>
            <numerusform>%n barriers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1   (+%n more)</source>
        <translation>
            <numerusform>%1   (+%n more)</numerusform>
            <numerusform>%1   (+%n more)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::RunController</name>
    <message numerus="yes">
        <source>Run: %n finding(s)</source>
        <translation>
            <numerusform>Run: %n finding</numerusform>
            <numerusform>Run: %n findings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::SpeedupPane</name>
    <message numerus="yes">
        <source>medians: %1 µs, library %2 µs; %n paired round(s)</source>
        <translation>
            <numerusform>medians: %1 µs, library %2 µs; %n paired round</numerusform>
            <numerusform>medians: %1 µs, library %2 µs; %n paired rounds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::TaskDetails</name>
    <message numerus="yes">
        <source>Paper&apos;s rule: an element is wrong where its absolute error exceeds %1 and its relative error exceeds %2; a trial needs %3 % right elements; %n trial(s).</source>
        <translation>
            <numerusform>Paper&apos;s rule: an element is wrong where its absolute error exceeds %1 and its relative error exceeds %2; a trial needs %3 % right elements; %n trial.</numerusform>
            <numerusform>Paper&apos;s rule: an element is wrong where its absolute error exceeds %1 and its relative error exceeds %2; a trial needs %3 % right elements; %n trials.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::TriageModel</name>
    <message numerus="yes">
        <source>%n further cause(s)</source>
        <translation>
            <numerusform>%n further cause</numerusform>
            <numerusform>%n further causes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::TriagePane</name>
    <message numerus="yes">
        <source>%1: %n answer(s) so far</source>
        <translation>
            <numerusform>%1: %n answer so far</numerusform>
            <numerusform>%1: %n answers so far</numerusform>
        </translation>
    </message>
</context>
</TS>
