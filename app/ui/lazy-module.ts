import { useSyncExternalStore } from "react";

/** Code that is loaded when it is first needed. */
export interface LazyModule<Module> {
  /** Begins to load it, or goes on; resolves when it is there, also when that failed. */
  load(): Promise<void>;
  /**
   * The module for a component, which is rendered again when it has come; null while it is on the way.
   * @throws why it cannot be loaded: the error screen offers to load the page anew
   */
  useModule(): Module | null;
}

/**
 * Unlike `lazy` of React it needs no `Suspense`, whose content React takes over only after the page: what is typed or
 * set meanwhile would be lost (error 421). What was loaded before is rendered at once: on the server, where
 * everything is loaded at the start, and in a page that was written with it.
 */
export function makeLazyModule<Module>(importModule: () => Promise<Module>): LazyModule<Module> {
  let loaded: { module: Module } | { error: unknown } | null = null;
  let loading: Promise<void> | undefined;
  const load = () => {
    loading ??= importModule().then(
      (module) => {
        loaded = { module };
      },
      (error: unknown) => {
        loaded = { error };
      },
    );
    return loading;
  };
  const subscribe = (notify: () => void) => {
    if (!loaded) void load().then(notify);
    return () => undefined;
  };
  const read = () => loaded;
  if (typeof document === "undefined") void load();
  return {
    load,
    useModule: () => {
      const found = useSyncExternalStore(subscribe, read, read);
      if (found && "error" in found) throw found.error;
      return found ? found.module : null;
    },
  };
}
