break stop
run
up
info locals
print slice.ptr[1]
print head.next->name
print n + byte
print text.len
print words.ptr[1]
print circle
print circle.circle
print tagged_tag.payload.tag
print color == green
