long total(int k);
