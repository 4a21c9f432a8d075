# nvcc takes most of a second before it comes to what is in a file, more than half of what the small ones take. So it is
# given up to six of a room at a time, as a source that includes them. Those that are dear by themselves stay alone, so
# that no unit is what a build with many processors waits for; and edges_march, whose march nvcc unrolls otherwise beside
# other kernels.
set(gf_alone_cuda
    conv_march edges_march gradient_march gradient_slopes histogram_global histogram_shared iir march_f32 march_u8 merge partition
    point ragged_fold ragged_items rank_tile rank_tile_large reduce reduce_by_key reduce_textbook resize_chain_across
    resize_dot scan_sum segmented_merge segmented_reduce segmented_scan_sum sort_block sort_merge stencil top_k warp
    window_down)

# gf_cuda_units(VARIABLE sources...): the sources, sorted and relative to this folder, or units of them, made in the
# build's folder units.
function(gf_cuda_units variable)
  set(units "")
  set(waiting "")
  foreach(source IN LISTS ARGN ITEMS end)
    string(REGEX REPLACE "^([^/]+(/[^/]+)?)/.*$" "\\1" room ${source})
    list(LENGTH waiting count)
    if(count GREATER 0 AND (count EQUAL 6 OR NOT room STREQUAL of))
      set(text "")
      foreach(one IN LISTS waiting)
        string(APPEND text "#include \"${one}\"\n")
      endforeach()
      list(GET waiting 0 first)
      string(REGEX REPLACE "^.*/|(_cuda)?[.]cu$" "" first ${first})
      file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/units/${of}/${first}_and_others.cu CONTENT "${text}" @ONLY)
      list(APPEND units ${CMAKE_CURRENT_BINARY_DIR}/units/${of}/${first}_and_others.cu)
      set(waiting "")
    endif()
    string(REGEX REPLACE "^.*/|(_cuda)?[.]cu$" "" name ${source})
    if(name IN_LIST gf_alone_cuda)
      list(APPEND units ${source})
    else()
      set(of ${room})
      list(APPEND waiting ${source})
    endif()
  endforeach()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()
