" Waits for diagnostics, asks for hover, mends the fault, waits until nothing is wrong; writes what it saw to $RESULT.
set nomore
let s:result = {}

function! s:wait(condition) abort
  let l:left = 1200
  while l:left > 0 && !eval(a:condition)
    sleep 50m
    let l:left -= 1
  endwhile
  return l:left > 0
endfunction

function! s:found() abort
  return get(get(g:ale_buffer_info, bufnr(''), {}), 'loclist', [])
endfunction

function! s:end(...) abort
  call writefile([json_encode(s:result)], $RESULT)
  qall!
endfunction

function! s:run(...) abort
  try
    ALELint
    call s:wait('!empty(s:found())')
    let s:result.diagnostics = map(copy(s:found()), {_, each -> [each.lnum, each.col, each.end_col, each.type, each.text]})
    call search('spec\.?\zsname')
    ALEHover
    call s:wait('bufnr("ALEPreviewWindow") > 0 && getbufline("ALEPreviewWindow", 1)[0] !=# ""')
    let s:result.hover = join(getbufline('ALEPreviewWindow', 1, '$'), "\n")
    %substitute/nmae/name/
    ALELint
    let s:result.cleared = s:wait('empty(s:found())')
  catch
    let s:result.error = v:exception . ' ' . v:throwpoint
  endtry
  call s:end()
endfunction

let g:ale_hover_to_preview = 1
autocmd VimEnter * call s:run()
