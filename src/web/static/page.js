// The little that plain forms and htmx cannot do. The page works without it, but for passkeys.

// A one-time link has its token behind the #, which browsers send to nobody: it is put into the form that asks for it.
const tokenForm = document.querySelector('form[data-token-form]');
if (tokenForm && location.hash.length > 1) {
  tokenForm.elements.token.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  tokenForm.requestSubmit();
}
