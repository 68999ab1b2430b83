/// <reference types="@remix-run/node" />
/// <reference types="vite/client" />

// An export makes this file a module: what follows then adds to the types of Remix instead of replacing them.
export {};

declare module "@remix-run/server-runtime" {
  interface Future {
    v3_singleFetch: true;
  }
}

declare module "react" {
  /** React 18 writes these attributes as they are but does not know their types. */
  interface HTMLAttributes<T> {
    popover?: "auto";
  }
  interface ButtonHTMLAttributes<T> {
    popovertarget?: string;
  }
}
