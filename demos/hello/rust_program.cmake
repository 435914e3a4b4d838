# rust_program(NAME MAIN.rs [SOURCE.rs ...]) builds <build>/demos/NAME with plain rustc, if there is one that works.
# Rust is never needed: where it is missing or fails, the stories are told without its programs.
find_program(IOTRACE_RUSTC rustc)

# rustup leaves a rustc that is there and has no compiler behind it; only a program that came out is proof.
if(IOTRACE_RUSTC AND NOT DEFINED IOTRACE_RUSTC_WORKS)
  set(trial ${CMAKE_CURRENT_BINARY_DIR}/rustc_trial)
  file(WRITE ${trial}.rs "fn main() {}\n")
  execute_process(COMMAND ${IOTRACE_RUSTC} -O -o ${trial} ${trial}.rs RESULT_VARIABLE failure OUTPUT_QUIET ERROR_QUIET)
  if(failure EQUAL 0 AND EXISTS ${trial})
    set(IOTRACE_RUSTC_WORKS TRUE CACHE INTERNAL "")
  else()
    set(IOTRACE_RUSTC_WORKS FALSE CACHE INTERNAL "")
    message(STATUS "rustc does not work here: no Rust programs in the demos")
  endif()
endif()

function(rust_program name main)
  if(NOT IOTRACE_RUSTC_WORKS)
    return()
  endif()
  set(program ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE modules)
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    # make's flags name a job server that rustc could not reach.
    COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=MFLAGS
            ${IOTRACE_RUSTC} -O -o ${program} ${CMAKE_CURRENT_SOURCE_DIR}/${main}
            || ${CMAKE_COMMAND} -E echo "${name} is left out"
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${main} ${modules}
    COMMENT "Building Rust program ${name}" VERBATIM)
  add_custom_target(${name}_program ALL DEPENDS ${program})
  add_dependencies(demos ${name}_program)
endfunction()
