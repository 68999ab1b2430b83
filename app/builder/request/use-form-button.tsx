/** Gives the body back to the form: at once with JavaScript, by a round to the server without. */
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
