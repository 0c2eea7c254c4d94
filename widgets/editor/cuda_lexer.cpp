// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/cuda_lexer.h"

#include <utility>

namespace ptxwb {

CudaLexer::CudaLexer(QObject* parent)
    : QsciLexerCPP(parent)
{
    setFoldComments(true);
    setFoldPreprocessor(true);
}

void CudaLexer::setColours(const EditorColours& colours, const QFont& font)
{
    QFont bold = font;
    bold.setBold(true);
    setDefaultColor(colours.text);
    setDefaultPaper(colours.paper);
    setDefaultFont(font);
    // Every style first (also the "inactive code" ones, 64 above), so that none keeps a light-theme default.
    for (int style = 0; style < 128; ++style) {
        setColor(colours.text, style);
        setPaper(colours.paper, style);
        setFont(font, style);
    }
    const std::pair<int, PtxStyle> table[] = {
        {Comment, PtxStyle::Comment},
        {CommentLine, PtxStyle::Comment},
        {CommentDoc, PtxStyle::Comment},
        {CommentLineDoc, PtxStyle::Comment},
        {Number, PtxStyle::Number},
        {Keyword, PtxStyle::Directive},
        {DoubleQuotedString, PtxStyle::String},
        {SingleQuotedString, PtxStyle::String},
        {RawString, PtxStyle::String},
        {UnclosedString, PtxStyle::Invalid},
        {PreProcessor, PtxStyle::Preprocessor},
        {Operator, PtxStyle::Punctuation},
        {Identifier, PtxStyle::Identifier},
        {KeywordSet2, PtxStyle::OpcodeTensor},
        {GlobalClass, PtxStyle::Type},
        {EscapeSequence, PtxStyle::Predicate},
    };
    for (const auto& [cppStyle, ptxStyle] : table) {
        setColor(colours.style(ptxStyle), cppStyle);
        setColor(colours.style(PtxStyle::Comment), cppStyle + 64);
    }
    setFont(bold, Keyword);
    setFont(bold, KeywordSet2);
}

const char* CudaLexer::keywords(int set) const
{
    if (set == 2) {
        return "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ "
               "__launch_bounds__ "
               "__cluster_dims__ __grid_constant__ __noinline__ __forceinline__ __syncthreads __syncwarp "
               "threadIdx blockIdx blockDim gridDim warpSize asm volatile CUtensorMap dim3";
    }
    if (set == 4) {
        return "half half2 nv_bfloat16 nv_bfloat162 __half __half2 __nv_bfloat16 __nv_bfloat162 float2 "
               "float4 "
               "uint2 uint4 int2 int4 uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t "
               "size_t "
               "uintptr_t";
    }
    return QsciLexerCPP::keywords(set);
}

} // namespace ptxwb
