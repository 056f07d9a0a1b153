" Highlighting of sx.
if exists('b:current_syntax')
  finish
endif
syn keyword sxConditional if else then case
syn keyword sxRepeat while for in break continue
syn keyword sxStatement return defer push inline raise try catch onfail
syn keyword sxOperatorWord and or xx
syn keyword sxStructure struct enum union protocol impl error
syn keyword sxStorage private extern export abi asm intrinsic ufcs
syn keyword sxBoolean true false null
syn keyword sxType f32 f64 usize isize bool string cstring void any noreturn Type Self Tuple Closure
syn match sxType '\<[iu]\%([1-9]\|[1-5]\d\|6[0-4]\)\>'
syn match sxMember '\%(\.\s*\)\@<=\h\w*'
syn match sxErrorTag '\%(\<error\.\)\@<=\h\w*'
syn match sxFunction '\<\h\w*\ze\s*::\s*\%(ufcs\s*\)\?[({]'
syn match sxRaw '`\h\w*'
syn match sxDirective '#\h\w*'
syn match sxNumber '\<\d[0-9_]*\%(\.\d[0-9_]*\)\?\%([eE][+-]\?\d[0-9_]*\)\?\>'
syn match sxNumber '\<0\%([xX][0-9A-Fa-f_]*\|[oO][0-7_]*\|[bB][0-9_]*\)\>'
syn match sxEscape contained '\\.'
syn match sxCharacter '\'\%(\\x\x\{1,2}\|\\u{\x*}\|\\.\|[^'\\]\)\''
syn region sxString start='"' skip='\\.' end='"' contains=sxEscape
syn region sxHeredoc matchgroup=sxDirective start='#string\s\+\z(\h\w*\).*$' end='^\z1\>'
syn match sxComment '//.*$' contains=@Spell
syn sync minlines=200
hi def link sxConditional Conditional
hi def link sxRepeat Repeat
hi def link sxStatement Statement
hi def link sxOperatorWord Operator
hi def link sxStructure Structure
hi def link sxStorage StorageClass
hi def link sxBoolean Boolean
hi def link sxType Type
hi def link sxErrorTag Constant
hi def link sxFunction Function
hi def link sxDirective PreProc
hi def link sxNumber Number
hi def link sxEscape SpecialChar
hi def link sxCharacter Character
hi def link sxString String
hi def link sxHeredoc String
hi def link sxComment Comment
let b:current_syntax = 'sx'
