import { IntentButton } from "../intent-button";
/** Makes the body follow the form again. Without JavaScript it posts the form. */
export function UseFormButton({ action, onUseForm }: { action: string; onUseForm: () => void }) {
  return (
    <IntentButton intent="use_form" formAction={action} className="button" onPress={onUseForm}>
      Use the form again
    </IntentButton>
  );
}
