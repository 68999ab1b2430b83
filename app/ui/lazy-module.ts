import { type ComponentType, createElement, type ReactNode, useSyncExternalStore } from "react";

/** Code that is loaded on first use. */
export interface LazyModule<Module> {
  /** Loads it unless the browser is offline. False when it is not available. */
  load(): Promise<boolean>;
  /**
   * Returns the module and rerenders the component when it is loaded; null until then. Offline it is loaded when the network
   * returns.
   * @param needed false does not start to load it
   * @throws the error that prevents loading
   */
  useModule(needed?: boolean): Module | null;
  /**
   * Makes a component of one that the module exports.
   * @param options `fallback` until it is loaded; `optional`: also when it cannot be loaded
   */
  makePart<Name extends keyof Module>(
    name: Name,
    options?: { fallback?: ReactNode; optional?: boolean },
  ): (props: PropsOf<Module[Name]>) => ReactNode;
}

type PropsOf<Part> = Part extends (props: infer Props) => ReactNode ? Props : never;

/**
 * Creates a lazy module. React's `lazy` needs `Suspense`, which hydrates after the page and loses what was typed before (error
 * 421). A loaded module is rendered at once, on the server too, which loads all modules at the start.
 */
export function makeLazyModule<Module>(importModule: () => Promise<Module>): LazyModule<Module> {
  let loaded: { module: Module } | { error: unknown } | null = null;
  let loading: Promise<boolean> | undefined;
  const load = async (): Promise<boolean> => {
    // Chromium caches a failed import until the page is reloaded, so none is tried without a network.
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
  const useModule = (needed = true) => {
    const found = useSyncExternalStore(
      needed ? subscribe : subscribeToNothing,
      needed ? read : readNothing,
      needed ? read : readNothing,
    );
    if (found && "error" in found) throw found.error;
    return found ? found.module : null;
  };
  const useModuleIfLoaded = () => {
    const found = useSyncExternalStore(subscribe, read, read);
    return found && "module" in found ? found.module : null;
  };
  return {
    load,
    useModule,
    makePart: (name, { fallback = null, optional = false } = {}) => {
      const usePart = optional ? useModuleIfLoaded : useModule;
      return function Part(props) {
        const found = usePart();
        return found ? createElement(found[name] as ComponentType<object>, props as object) : fallback;
      };
    },
  };
}
