export * from './adapter';
export * from './build';
export * from './configuration';
export * from './documents';
export * from './paths';
