import { useSyncExternalStore } from "react";

/** Code that is loaded when it is first needed. */
export interface LazyModule<Module> {
  /** Loads it unless the browser is offline. False when it is not there. */
  load(): Promise<boolean>;
  /**
   * The module for a component, which is rendered again when it has come; null while it is on the way.
   * @param needed whether to load it if nothing else did
   * @throws why it cannot be loaded, unless the browser is offline: then it is loaded when the network is back
   */
  useModule(needed?: boolean): Module | null;
  /** The same for what the page can do without: null also where it cannot be loaded. */
  useModuleIfLoaded(): Module | null;
}

/**
 * Unlike `lazy` of React it needs no `Suspense`, whose content React takes over only after the page: what is typed or
 * set meanwhile would be lost (error 421). What was loaded before is rendered at once: on the server, where
 * everything is loaded at the start, and in a page that was written with it.
 */
export function makeLazyModule<Module>(importModule: () => Promise<Module>): LazyModule<Module> {
  let loaded: { module: Module } | { error: unknown } | null = null;
  let loading: Promise<boolean> | undefined;
  const load = async (): Promise<boolean> => {
    // Chromium remembers a failed import until the page is loaded again, so none is tried without a network.
    if (typeof document !== "undefined" && !navigator.onLine) return loaded !== null && "module" in loaded;
    loading ??= importModule().then(
      (module) => {
        loaded = { module };
        return true;
      },
      (error: unknown) => {
        loaded = { error };
        return false;
      },
    );
    return loading;
  };
  const subscribe = (notify: () => void) => {
    const loadMissing = () => {
      if (!loaded) void load().then(notify);
    };
    loadMissing();
    window.addEventListener("online", loadMissing);
    return () => window.removeEventListener("online", loadMissing);
  };
  const subscribeToNothing = () => () => undefined;
  const read = () => loaded;
  const readNothing = () => null;
  if (typeof document === "undefined") void load();
  return {
    load,
    useModule: (needed = true) => {
      const found = useSyncExternalStore(
        needed ? subscribe : subscribeToNothing,
        needed ? read : readNothing,
        needed ? read : readNothing,
      );
      if (found && "error" in found) throw found.error;
      return found ? found.module : null;
    },
    useModuleIfLoaded: () => {
      const found = useSyncExternalStore(subscribe, read, read);
      return found && "module" in found ? found.module : null;
    },
  };
}
