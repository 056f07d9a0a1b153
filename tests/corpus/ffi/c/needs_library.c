unsigned long compressBound(unsigned long n); // of zlib
unsigned long bound_of_packed(unsigned long n) { return compressBound(n); }
