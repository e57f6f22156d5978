/** The response where the hub knows an option by its number alone. Who asked knows the text. */
export function optionWithoutText(option: number): string {
  return `Option ${option} of those you offered (the hub cannot read its text)`;
}
