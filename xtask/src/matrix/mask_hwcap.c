/* Preloaded into a program, denies it the CPU features whose AT_HWCAP bits are in the variable DENIED_HWCAP: no model of
   qemu's is a 64-bit ARM CPU without SHA2. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>

unsigned long getauxval(unsigned long type)
{
    unsigned long (*original)(unsigned long) = (unsigned long (*)(unsigned long))dlsym(RTLD_NEXT, "getauxval");
    unsigned long value = original(type);
    const char *denied = getenv("DENIED_HWCAP");
    return type == AT_HWCAP && denied ? value & ~strtoul(denied, NULL, 16) : value;
}
