local sum = 0
for i = 0, 49999999 do sum = sum + i end
print(string.format("%d", sum))
