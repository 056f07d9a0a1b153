local sqrt = math.sqrt
local PI = 3.141592653589793
local SOLAR_MASS = 4 * PI * PI
local DAYS = 365.24

local function advance(bodies, dt)
  local n = #bodies
  for i = 1, n do
    local a = bodies[i]
    for j = i + 1, n do
      local b = bodies[j]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      local d2 = dx * dx + dy * dy + dz * dz
      local mag = dt / (d2 * sqrt(d2))
      local ma, mb = a.mass * mag, b.mass * mag
      a.vx = a.vx - dx * mb
      a.vy = a.vy - dy * mb
      a.vz = a.vz - dz * mb
      b.vx = b.vx + dx * ma
      b.vy = b.vy + dy * ma
      b.vz = b.vz + dz * ma
    end
  end
  for i = 1, n do
    local b = bodies[i]
    b.x = b.x + dt * b.vx
    b.y = b.y + dt * b.vy
    b.z = b.z + dt * b.vz
  end
end

local function energy(bodies)
  local e = 0
  for i = 1, #bodies do
    local a = bodies[i]
    e = e + 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz)
    for j = i + 1, #bodies do
      local b = bodies[j]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      e = e - a.mass * b.mass / sqrt(dx * dx + dy * dy + dz * dz)
    end
  end
  return e
end

local bodies = {
  { x = 0, y = 0, z = 0, vx = 0, vy = 0, vz = 0, mass = SOLAR_MASS },
  { x = 4.84143144246472090, y = -1.16032004402742839, z = -0.103622044471123109,
    vx = 0.00166007664274403694 * DAYS, vy = 0.00769901118419740425 * DAYS, vz = -0.0000690460016972063023 * DAYS, mass = 0.000954791938424326609 * SOLAR_MASS },
  { x = 8.34336671824457987, y = 4.12479856412430479, z = -0.403523417114321381,
    vx = -0.00276742510726411899 * DAYS, vy = 0.00499852801234917238 * DAYS, vz = 0.0000230417297573763929 * DAYS, mass = 0.000285885980666130812 * SOLAR_MASS },
  { x = 12.8943695621391310, y = -15.1111514016986312, z = -0.223307578892655734,
    vx = 0.00296460137564761618 * DAYS, vy = 0.00237847173959480950 * DAYS, vz = -0.0000296589568540237556 * DAYS, mass = 0.0000436624404335156298 * SOLAR_MASS },
  { x = 15.3796971148509165, y = -25.9193146099879641, z = 0.179258772950371181,
    vx = 0.00268067772490389322 * DAYS, vy = 0.00162824170038242295 * DAYS, vz = -0.0000951592254519715870 * DAYS, mass = 0.0000515138902046611451 * SOLAR_MASS },
}
local px, py, pz = 0, 0, 0
for _, b in ipairs(bodies) do
  px, py, pz = px + b.vx * b.mass, py + b.vy * b.mass, pz + b.vz * b.mass
end
bodies[1].vx, bodies[1].vy, bodies[1].vz = -px / SOLAR_MASS, -py / SOLAR_MASS, -pz / SOLAR_MASS
for _ = 1, 200000 do advance(bodies, 0.01) end
print(string.format("%d", math.ceil(energy(bodies) * 1000000)))
