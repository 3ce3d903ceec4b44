// What is written but not asked yet outlives a reload of the page, not the window.

const KEY = "alidade.draft";

export const draft = {
  read(): string {
    try {
      return sessionStorage.getItem(KEY) ?? "";
    } catch {
      return "";
    }
  },
  write(text: string): void {
    try {
      if (text === "") sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, text);
    } catch {
      // A page without storage keeps it as long as it lives.
    }
  },
};
