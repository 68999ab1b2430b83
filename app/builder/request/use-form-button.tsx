/** Makes the body follow the form again. Without JavaScript it posts the form. */
export function UseFormButton({ action, onUseForm }: { action: string; onUseForm: () => void }) {
  return (
    <button
      type="submit"
      name="intent"
      value="use_form"
      formAction={action}
      className="button"
      onClick={(event) => {
        event.preventDefault();
        onUseForm();
      }}
    >
      Use the form again
    </button>
  );
}
