// The little that plain forms and htmx cannot do. The page works without it, but for passkeys.

// The texts of the scripts in the language of the page, by the English ones: the server has them (shell/script-texts.ts).
const said = JSON.parse(document.documentElement.dataset.said ?? '{}');

/** A text with what takes the place of its `#`. */
globalThis.say = (text, value = '') => (said[text] ?? text).replace('#', () => value);

// A one-time link has its token behind the #, which browsers send to nobody: it is put into the form that asks for it.
sendToken();
addEventListener('hashchange', sendToken);

function sendToken() {
  const form = document.querySelector('form[data-token-form]');
  if (!form || location.hash.length < 2) return;
  form.elements.token.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  form.requestSubmit();
}

// A form that needs a passkey: data-passkey-get has one sign, data-passkey-create makes one (after that, where both are
// there). The address it names says what to ask the browser for; the answer goes into the form, and the form is sent.
const passkeyForms = 'form[data-passkey-create],form[data-passkey-get]';

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!form.matches(passkeyForms) || form.dataset.passkeyAnswered === 'yes') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void answerByPasskey(form);
  },
  true,
);

async function answerByPasskey(form) {
  const { passkeyGet, passkeyCreate } = form.dataset;
  const problem = form.querySelector('[data-passkey-problem]');
  const button = form.querySelector('button:not([type=button])');
  problem.hidden = true;
  button.disabled = true;
  try {
    form.elements.credential.value = '';
    if (passkeyGet) await putCredential(form, passkeyGet, false);
    if (passkeyCreate) await putCredential(form, passkeyCreate, true);
    form.dataset.passkeyAnswered = 'yes';
    button.disabled = false;
    form.requestSubmit(button);
  } catch (error) {
    problem.textContent = wordsOf(error);
    problem.hidden = false;
  } finally {
    button.disabled = false;
    setTimeout(() => delete form.dataset.passkeyAnswered);
  }
}

async function putCredential(form, place, isNew) {
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(place, { method: 'POST', body, headers: { accept: 'application/json' } });
  const options = await answer.json();
  if (!answer.ok) throw new Error(options.message);
  // Null where the person has no passkey: the form goes as it is.
  if (options !== null) form.elements.credential.value = JSON.stringify(await asked(options, isNew));
}

async function asked(options, isNew) {
  if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON)
    throw new Error(say('This browser is too old for passkeys. Use a newer one.'));
  const credential = isNew
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  return credential.toJSON();
}

function wordsOf(error) {
  if (error.name === 'NotAllowedError')
    return say('The passkey was not used: it was cancelled, or took too long. Try again.');
  if (error.name === 'InvalidStateError') return say('This device already has a passkey of yours.');
  if (error instanceof TypeError || error instanceof SyntaxError)
    return say('The page could not be reached. Try again.');
  return error.message;
}

// Who has not chosen a time zone yet is offered that of the browser.
const zones = document.querySelector('select[data-zone]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zones && [...zones.options].some(({ value }) => value === zone)) zones.value = zone;

// A file that is too large is noticed before it is sent; where one may be dropped is shown while it is dragged. The form may
// come later than this script, with a part that is exchanged.
const uploadForm = () => document.querySelector('form[data-upload]');

function isTooLarge(form) {
  return (form.elements.file.files[0]?.size ?? 0) > Number(form.dataset.upload);
}

document.addEventListener('change', ({ target }) => {
  const form = target.closest('form[data-upload]');
  if (!form) return;
  form.querySelector('[data-upload-problem]').hidden = !isTooLarge(form);
  // A new file is sent at once, if a person chose it and no browser that restores a page.
  if ('starts' in form.dataset && 'isOpened' in form.dataset && target.files?.length > 0) form.requestSubmit();
});
document.addEventListener('click', ({ target }) => {
  if (target.matches('form[data-starts] input[type=file]')) target.form.dataset.isOpened = '';
});
// A person may have chosen it before this script was there. No browser that restores a page focuses it.
if (document.activeElement?.matches('form[data-starts] input[type=file]')) {
  const { form } = document.activeElement;
  form.dataset.isOpened = '';
  form.elements.file.dispatchEvent(new Event('change', { bubbles: true }));
}
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!form.matches('form[data-upload]')) return;
  if (isTooLarge(form) || 'isSent' in form.dataset) event.preventDefault();
  else form.dataset.isSent = '';
});
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-upload]')) delete form.dataset.isSent;
});
// Beside the box too: the browser would leave the page and open the file.
for (const type of ['dragover', 'dragenter', 'dragleave', 'drop'])
  document.addEventListener(type, (event) => {
    const form = uploadForm();
    if (!form || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    const drop = form.querySelector('.drop');
    drop.classList.toggle('over', drop.contains(event.target) && (type === 'dragover' || type === 'dragenter'));
    if (type !== 'drop') return;
    if (event.isTrusted) form.dataset.isOpened = '';
    takeFiles(form, event.dataTransfer);
  });

function takeFiles({ elements }, { files }) {
  if (files.length === 0) return;
  elements.file.files = files;
  elements.file.dispatchEvent(new Event('change', { bubbles: true }));
}

// Ids are copied with one click, where the browser lets a page do that.
if (navigator.clipboard)
  for (const button of document.querySelectorAll('[data-copies]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copies);
      button.textContent = say('Copied');
      setTimeout(() => (button.textContent = say('Copy')), 2_000);
    });
  }

// The stream of a run has ended: what became of it stands on a page of its own.
document.addEventListener('over', () => location.reload());

// The page was started again, or nobody is signed in any more: what is shown is of before, so the way leads to the sign-in.
document.addEventListener('htmx:sse:error', (event) => {
  if (event.detail.status === 401) location.reload();
});

// After a redirect nothing more is requested until the next page is there: another redirect would restart the navigation.
let isLeaving = false;
document.addEventListener('htmx:before:request', (event) => {
  if (isLeaving) event.preventDefault();
});
document.addEventListener('htmx:before:response', (event) => {
  if (isLeaving) event.preventDefault();
  isLeaving ||= event.detail.ctx.response.headers.has('hx-redirect');
});
addEventListener('pageshow', () => {
  isLeaving = false;
});

// A total that is typed as it stands has a check beside it. What was typed is compared again when it is sent.
document.addEventListener('input', ({ target }) => {
  const { fits, reads } = target.dataset ?? {};
  if (fits === undefined) return;
  const plain = (text) => text.replace(/\s/g, '').toUpperCase();
  const amountOf = (text) => plain(text.replace(/\s\S+$/, ''));
  target.classList.toggle(
    'fit',
    [fits, reads].some((total) => [plain(total), amountOf(total)].includes(plain(target.value))),
  );
});

// `/` goes to the search of the navigation, unless somebody types or the sheet takes keys.
addEventListener('keydown', (event) => {
  const isTyped = event.target.closest?.('input, textarea, select, [contenteditable], [role=grid]');
  const field = document.querySelector('[data-seek]');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyped || !field?.checkVisibility())
    return;
  event.preventDefault();
  field.focus();
});

// On wide screens, a click on a row opens its details beside the list; elsewhere it follows the row's link.
const roomBeside = matchMedia('(min-width: 1101px)');

document.addEventListener('click', (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !roomBeside.matches) return;
  const closing = target.closest('[data-closes]');
  const isOther = target.closest('a, button, input, select, label, summary') || String(getSelection()) !== '';
  const row = isOther ? null : target.closest('tr');
  const opening = target.closest('[data-beside]') ?? row?.querySelector('[data-beside]');
  if (!closing && !opening) return;
  event.preventDefault();
  if (closing) void showMain(closing.href, `[data-beside][href="${closing.dataset.closes}"]`);
  else void showMain(opening.dataset.beside, '#drawer-name');
});
addEventListener('keydown', ({ key, target }) => {
  if (key === 'Escape' && !target.closest?.('details[open], select')) document.querySelector('[data-closes]')?.click();
});

/** Loads that page in place of this one, and focuses the element that the selector finds. */
async function showMain(path, focused) {
  await htmx.ajax('GET', path, { target: '#main', select: '#main', swap: 'outerMorph', push: 'true' });
  document.querySelector(focused)?.focus();
}
