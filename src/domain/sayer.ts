/** Whom the page names, where somebody did it there. It is what the page says: nobody has a right by it. */
export type OnPage = { page_person?: string | undefined };

/** Who gives a word, as far as the machine knows: its account. */
export type Sayer = { by: string } & OnPage;
