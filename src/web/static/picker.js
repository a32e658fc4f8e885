// The picker of a column: one list for all of them, which stands below the field that is open. Without script the browser
// shows the same list as it does.
let picked = null;
let pickList = null;

const optionsOf = () => [...(pickList?.querySelectorAll('[role=option]') ?? [])];

document.addEventListener('focusin', ({ target }) => {
  if (picked && target !== picked) closePicker();
});
document.addEventListener('click', ({ target }) => {
  const offered = target.closest('[data-picks]');
  const option = target.closest('.pick-list [role=option]');
  if (target.matches('[data-pick]')) openPicker(target);
  else if (option) choose(option.textContent);
  else if (!target.closest('.pick-list')) closePicker();
  if (!offered) return;
  choose(offered.value, offered.closest('.picker').querySelector('[data-pick]'));
  offered.remove();
});
// The field that is open keeps the focus.
document.addEventListener('mousedown', (event) => {
  if (event.target.closest('.pick-list')) event.preventDefault();
});
document.addEventListener('submit', (event) => {
  if (event.submitter?.matches('[data-picks]')) event.preventDefault();
});
document.addEventListener('input', ({ target }) => {
  if (!target.matches('[data-pick]')) return;
  openPicker(target);
  showOptions(target.value);
});
document.addEventListener('keydown', (event) => {
  if (!event.target.matches('[data-pick]')) return;
  const { key } = event;
  if (key === 'Escape') closePicker();
  if (key === 'Enter' && picked) {
    event.preventDefault();
    const at = optionsOf().find((option) => option.getAttribute('aria-selected') === 'true');
    if (at) choose(at.textContent);
    else closePicker();
  }
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  event.preventDefault();
  if (picked) moveTo(key === 'ArrowDown' ? 1 : -1);
  else openPicker(event.target);
});

function openPicker(field) {
  if (picked === field) return;
  closePicker();
  picked = field;
  // The browser's own list would lie over this one.
  field.removeAttribute('list');
  pickList = document.createElement('ul');
  Object.assign(pickList, {
    className: 'pick-list',
    id: 'pick-list',
    role: 'listbox',
    ariaLabel: say('Columns of a payment'),
  });
  field.parentElement.append(pickList);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-controls', 'pick-list'],
    ['aria-expanded', 'true'],
    ['aria-autocomplete', 'list'],
  ])
    field.setAttribute(name, value);
  field.select();
  showOptions('');
}

/** Those that have the text; what no field of the page has yet stands first. */
function showOptions(text) {
  const used = new Set([...document.querySelectorAll('[data-pick]')].map(({ value }) => value));
  const all = [...document.querySelectorAll('#fields option')].map(({ value }) => value);
  const wanted = all.filter((value) => value.toLowerCase().includes(text.trim().toLowerCase()));
  const isUsed = (value) => used.has(value) && value !== all.at(-1);
  pickList.replaceChildren(
    ...wanted
      .toSorted((one, other) => isUsed(one) - isUsed(other))
      .map((value, at) => {
        const option = document.createElement('li');
        Object.assign(option, {
          role: 'option',
          textContent: value,
          id: `pick-${at}`,
          ariaSelected: String(at === 0 && text !== ''),
        });
        option.classList.toggle('soft', isUsed(value));
        return option;
      }),
  );
}

function moveTo(step) {
  const options = optionsOf();
  const before = options.findIndex((option) => option.ariaSelected === 'true');
  const at = Math.max(0, Math.min(options.length - 1, before + step));
  for (const [n, option] of options.entries()) option.ariaSelected = String(n === at);
  options[at]?.scrollIntoView({ block: 'nearest' });
  picked.setAttribute('aria-activedescendant', `pick-${at}`);
}

function choose(value, field = picked) {
  field.value = value;
  closePicker();
}

function closePicker() {
  pickList?.remove();
  picked?.setAttribute('aria-expanded', 'false');
  picked?.removeAttribute('aria-activedescendant');
  pickList = picked = null;
}
