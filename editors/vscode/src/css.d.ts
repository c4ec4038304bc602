/** A style sheet as the text that it is. */
declare module '*.css' {
  const text: string;
  export default text;
}
