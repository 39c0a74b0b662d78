-- Lua and LuaJIT: coroutines, child processes, memory, files.
io.stdout:setvbuf("line")

local function with_children()
    local told = assert(io.popen("echo 7"))
    assert(told:read("*a") == "7\n")
    told:close()
    assert(os.execute("sleep 0.002"))
end

local function with_system()
    local kept = {}
    for number = 1, 200000 do kept[number] = { tostring(number) } end
    kept[1] = ("x"):rep(30000000)
    kept = nil
    collectgarbage()
    local own = assert(io.open(arg[0], "rb"))
    local text = own:read("*a")
    assert(own:seek("end") == #text and own:seek("set", 3) == 3)
    own:close()
    assert(os.clock() >= 0 and os.time() > 0 and os.date() and os.getenv("PATH"))
end

-- LuaJIT makes system calls directly.
local function with_ffi()
    local there, ffi = pcall(require, "ffi")
    if not there then return end
    ffi.cdef [[
        int getpid(void);
        int poll(void *, unsigned long, int);
        void *mmap(void *, size_t, int, int, int, long);
        int munmap(void *, size_t);
    ]]
    local memory = ffi.C.mmap(nil, 1048576, 3, 0x21, -1, 0)
    assert(ffi.C.getpid() > 0 and ffi.C.poll(nil, 0, 2) == 0 and ffi.C.munmap(memory, 1048576) == 0)
end

local function choose(legal)
    with_children()
    with_system()
    with_ffi()
    return legal[math.random(#legal)]
end

math.randomseed(os.time())
local legal = {}
for line in io.lines() do
    local words = {}
    for word in line:gmatch("%S+") do words[#words + 1] = word end
    local verb = table.remove(words, 1)
    if verb == "ugi" then print("feature legal\nugiok")
    elseif verb == "isready" then print("readyok")
    elseif verb == "legal" then legal = words
    elseif verb == "go" then print("bestmove " .. choose(legal))
    elseif verb == "quit" then break
    end
end
