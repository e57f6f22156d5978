// A stylesheet that a script loads: the build makes a file of it.
declare module '*.css';
