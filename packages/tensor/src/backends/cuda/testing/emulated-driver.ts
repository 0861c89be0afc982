/**
 * The driver's functions in C++ over the emulated device: memory is the process's own, an image is a shared library, a graph is a list of
 * launches. The same TypeScript as on a GPU runs on it, prototypes and all.
 */
export const emulatedDriver = `
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <string>
#include <vector>
typedef uintptr_t H;
typedef void Emulate(void (*)(const void *), int, const unsigned *, unsigned, const void *);
struct Module { void *library; Emulate *emulate; };
struct Kernel { void (*call)(const void *); int waits; unsigned bytes; Emulate *emulate; };
struct Launch { Kernel *kernel; unsigned grid[3], block; std::vector<char> args; std::vector<H> after; };
typedef std::vector<Launch> Graph;
static Graph *recording;
/* The nodes that the next one waits for: numbers from 1 on. */
static std::vector<H> latest;
static size_t in_use;
static long limit() { const char *s = getenv("REINS_EMULATED_MEMORY"); return s ? atol(s) : 1l << 40; }
static void run(const Launch &l) { l.kernel->emulate(l.kernel->call, l.kernel->waits, l.grid, l.block, l.args.data()); }
extern "C" {
int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int *v) { const char *s = getenv("REINS_EMULATED_VERSION"); *v = s ? atoi(s) : 13000; return 0; }
int cuGetErrorName(int, const char **text) { *text = "CUDA_ERROR_EMULATED"; return 0; }
int cuDeviceGetCount(int *n) { *n = 1; return 0; }
int cuDeviceGet(int *d, int n) { *d = n; return 0; }
int cuDeviceGetName(char *name, int length, int) { snprintf(name, length, "Emulated GPU"); return 0; }
int cuDeviceGetAttribute(int *v, int a, int) { *v = a == 75 ? 9 : a == 76 ? 0 : a == 13 ? 1980000 : a == 36 ? 3201000 : a == 37 ? 6144 : 132; return 0; }
int cuDevicePrimaryCtxRetain(H *c, int) { *c = 1; return 0; }
int cuCtxSetCurrent(H c) { return c != 1; }
int cuMemGetInfo_v2(size_t *free_, size_t *total) { *total = limit(); *free_ = limit() - in_use; return 0; }
int cuMemAlloc_v2(H *p, size_t n) {
  if (n == 0) return 1;
  if ((long)(in_use + n) > limit()) return 2;
  char *at = (char *)malloc(n + 256);
  /* New memory is not zero on a GPU. */
  memset(at, 0xff, n + 256);
  in_use += n;
  const H q = ((H)at + 256) & ~(H)255;
  ((H *)q)[-1] = (H)at; ((H *)q)[-2] = n;
  *p = q;
  return 0;
}
int cuMemFree_v2(H p) { in_use -= ((H *)p)[-2]; free((void *)((H *)p)[-1]); return 0; }
int cuMemcpyHtoDAsync_v2(H to, const void *from, size_t n, H s) { if (s != 2 || recording) return 900; memcpy((void *)to, from, n); return 0; }
int cuMemcpyDtoHAsync_v2(void *to, H from, size_t n, H s) { if (s != 2 || recording) return 900; memcpy(to, (void *)from, n); return 0; }
int cuEventCreate(H *e, unsigned) { *e = 3; return 0; }
int cuEventRecord(H e, H s) { return e != 3 || s != 2; }
int cuEventElapsedTime(float *ms, H, H) { *ms = 0.5f; return 0; }
int cuStreamCreate(H *s, unsigned) { *s = 2; return 0; }
int cuStreamSynchronize(H s) { return s != 2 || recording ? 900 : 0; }
int cuStreamBeginCapture_v2(H s, int) { if (s != 2 || recording) return 900; recording = new Graph; latest.clear(); return 0; }
int cuStreamGetCaptureInfo_v2(H, int *status, H *, H *, const H **nodes, size_t *n) { *status = recording ? 1 : 0; *nodes = latest.data(); *n = latest.size(); return 0; }
int cuStreamUpdateCaptureDependencies(H, const H *nodes, size_t n, unsigned flags) { if (!recording || flags != 1) return 900; latest.assign(nodes, nodes + n); return 0; }
int cuStreamEndCapture(H, H *g) { *g = (H)recording; recording = 0; return 0; }
int cuGraphInstantiateWithFlags(H *e, H g, unsigned long long) { *e = (H)new Graph(*(Graph *)g); return 0; }
/* The latest node first of those whose predecessors have run, so that a missing dependency gives wrong numbers. */
int cuGraphLaunch(H e, H s) {
  if (s != 2) return 400;
  const Graph &g = *(Graph *)e;
  std::vector<unsigned> waiting(g.size());
  std::vector<std::vector<unsigned>> next(g.size());
  std::vector<unsigned> ready;
  for (unsigned i = 0; i < g.size(); i++) {
    waiting[i] = g[i].after.size();
    for (const H n : g[i].after) next[n - 1].push_back(i);
    if (!waiting[i]) ready.push_back(i);
  }
  while (!ready.empty()) {
    const unsigned i = ready.back();
    ready.pop_back();
    run(g[i]);
    for (const unsigned n : next[i]) if (!--waiting[n]) ready.push_back(n);
  }
  return 0;
}
int cuGraphDestroy(H g) { delete (Graph *)g; return 0; }
int cuGraphExecDestroy(H e) { delete (Graph *)e; return 0; }
int cuModuleLoadData(H *m, const void *image) {
  /* The image's length is its first eight bytes. */
  uint64_t n; memcpy(&n, image, 8);
  char path[] = "/tmp/reins-emulated-XXXXXX";
  const int f = mkstemp(path);
  if (f < 0 || write(f, (const char *)image + 8, n) != (ssize_t)n) return 200;
  close(f);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  unlink(path);
  if (!library) { fprintf(stderr, "%s\\n", dlerror()); return 200; }
  *m = (H)new Module{ library, (Emulate *)dlsym(library, "reins_emulate") };
  return 0;
}
int cuModuleUnload(H m) { delete (Module *)m; return 0; }
int cuModuleGetFunction(H *k, H m, const char *name) {
  if (recording) return 900;
  const std::string own = name;
  Module *const module = (Module *)m;
  void *const call = dlsym(module->library, ("call_" + own).c_str());
  if (!call) return 500;
  const int *const waits = (const int *)dlsym(module->library, ("waits_" + own).c_str());
  const int *const bytes = (const int *)dlsym(module->library, ("bytes_" + own).c_str());
  *k = (H)new Kernel{ (void (*)(const void *))call, *waits, (unsigned)*bytes, module->emulate };
  return 0;
}
int cuLaunchKernel(H k, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned, H s, void **args, void **extra) {
  if (s != 2 || extra || by != 1 || bz != 1 || !gx || !gy || !gz || !bx || bx > 1024 || gy > 65535 || gz > 65535) return 1;
  Kernel *const kernel = (Kernel *)k;
  const char *const words = (const char *)args[0];
  Launch l = { kernel, { gx, gy, gz }, bx, std::vector<char>(words, words + kernel->bytes), latest };
  if (recording) { recording->push_back(l); latest.assign(1, recording->size()); }
  else run(l);
  return 0;
}
}
`;
