import { type ButtonHTMLAttributes, forwardRef } from "react";

interface IntentButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "name" | "value"> {
  intent: string;
  onPress: () => void;
}

/** Calls `onPress`. Without JavaScript it posts the Builder's form with this `intent`. */
export const IntentButton = forwardRef<HTMLButtonElement, IntentButtonProps>(function IntentButton(
  { intent, onPress, children, ...attributes },
  ref,
) {
  return (
    <button
      {...attributes}
      ref={ref}
      type="submit"
      name="intent"
      value={intent}
      onClick={(event) => {
        event.preventDefault();
        onPress();
      }}
    >
      {children}
    </button>
  );
});
