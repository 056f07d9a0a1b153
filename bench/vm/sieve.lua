local limit = 2000000
local count = 0
for _ = 1, 5 do
  local composite = {}
  for i = 1, limit do composite[i] = false end
  count = 0
  for n = 2, limit do
    if not composite[n] then
      count = count + 1
      local multiple = n + n
      while multiple <= limit do
        composite[multiple] = true
        multiple = multiple + n
      end
    end
  end
end
print(count)
