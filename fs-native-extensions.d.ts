/** The part of `fs-native-extensions` that is used; it ships no types. */
declare module "fs-native-extensions" {
  /** Locks bytes of an open file. False when another file handle has them. */
  export function tryLock(fd: number, offset: number, length: number): boolean;
}
