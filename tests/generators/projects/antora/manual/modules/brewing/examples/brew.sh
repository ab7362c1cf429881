# tag::boil[]
boil water
# end::boil[]
drink tea
