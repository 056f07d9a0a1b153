export * from './client';
export * from './framing';
export * from './poll';
export * from './stubs';
