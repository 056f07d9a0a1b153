-- Lines of text put together from pieces: what a printer or a code generator does.
local text = {}
for i = 0, 199999 do
  text[#text + 1] = "line "
  text[#text + 1] = tostring(i)
  text[#text + 1] = "\n"
end
text = table.concat(text)
local lines = 0
for i = 1, #text do
  if text:byte(i) == 10 then lines = lines + 1 end
end
print(#text .. " " .. lines)
