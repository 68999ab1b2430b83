import { type ComponentType, createElement, type ReactNode, useSyncExternalStore } from "react";

type PropsOf<Part> = Part extends (props: infer Props) => ReactNode ? Props : never;

interface PartOptions {
  /** Shown until it is loaded. */
  fallback?: ReactNode;
  /** Shows the fallback also when it cannot be loaded. */
  optional?: boolean;
}

const subscribeToNothing = () => () => undefined;

/**
 * Creates a module that is loaded on first use. React's `lazy` needs `Suspense`, which hydrates after the page and loses what
 * was typed before (error 421). A loaded module is rendered at once, on the server too, which loads all modules at the start.
 */
export function makeLazyModule<Module>(importModule: () => Promise<Module>) {
  let loaded: { module: Module } | { error: unknown } | null = null;
  let loading: Promise<boolean> | undefined;

  /** Loads it unless the browser is offline. False when it is not available. */
  async function load(): Promise<boolean> {
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
  }

  function subscribe(notify: () => void) {
    const loadMissing = () => {
      if (!loaded) void load().then(notify);
    };
    loadMissing();
    window.addEventListener("online", loadMissing);
    return () => window.removeEventListener("online", loadMissing);
  }

  /**
   * Returns the module and rerenders the component when it is loaded; null until then. Offline it is loaded when the network
   * returns.
   * @param needed false does not start to load it
   * @throws the error that prevents loading, unless it is optional
   */
  function useModule(needed = true, optional = false): Module | null {
    const read = () => (needed ? loaded : null);
    const found = useSyncExternalStore(needed ? subscribe : subscribeToNothing, read, read);
    if (found && "module" in found) return found.module;
    if (found && !optional) throw found.error;
    return null;
  }

  /** Makes a component of one that the module exports. */
  function makePart<Name extends keyof Module>(
    name: Name,
    { fallback = null, optional = false }: PartOptions = {},
  ): (props: PropsOf<Module[Name]>) => ReactNode {
    return function Part(props) {
      const found = useModule(true, optional);
      return found ? createElement(found[name] as ComponentType<object>, props as object) : fallback;
    };
  }

  if (typeof document === "undefined") void load();
  return { load, useModule, makePart };
}
