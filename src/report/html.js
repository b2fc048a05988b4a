(function () {
  'use strict';
  var root = document.documentElement, svgs = document.querySelectorAll('.lane svg[viewBox]');
  var ticks = document.querySelectorAll('.axis span'), lanes = document.querySelector('.lanes');
  var from = 0, width = 1000;
  root.classList.add('js');
  function clock(x) {
    var t0 = +lanes.dataset.t0, t1 = +lanes.dataset.t1;
    return new Date(t0 + (t1 - t0) * x / 1000).toISOString().slice(11, 23);
  }
  function show() {
    width = Math.min(1000, Math.max(0.5, width));
    from = Math.min(1000 - width, Math.max(0, from));
    svgs.forEach(function (s) { s.setAttribute('viewBox', from + ' 0 ' + width + ' 30'); });
    ticks.forEach(function (t, i) { t.textContent = clock(from + width * i / (ticks.length - 1)); });
    /* keep the marks of errors as wide as they were */
    document.querySelectorAll('.lane .error').forEach(function (e) {
      var c = e.transform.baseVal.getItem(0).matrix.e;
      e.setAttribute('transform', 'translate(' + c + ' 0) scale(' + width / 1000 + ' 1)');
    });
  }
  function zoom(factor, centre) {
    var c = centre === undefined ? from + width / 2 : centre;
    from = c - (c - from) * factor;
    width *= factor;
    show();
  }
  if (lanes) {
    document.querySelectorAll('button[data-zoom]').forEach(function (b) {
      b.addEventListener('click', function () {
        var z = b.dataset.zoom;
        if (z === '0') { from = 0; width = 1000; show(); }
        else if (z === 'l' || z === 'r') { from += (z === 'l' ? -1 : 1) * width / 3; show(); }
        else zoom(+z);
      });
    });
    document.querySelectorAll('tr[data-x0]').forEach(function (r) {
      r.addEventListener('dblclick', function () {
        var a = +r.dataset.x0, b = +r.dataset.x1;
        width = Math.max(0.5, (b - a) * 1.5);
        from = (a + b) / 2 - width / 2;
        show();
        lanes.scrollIntoView();
      });
    });
    svgs.forEach(function (s) {
      s.addEventListener('wheel', function (e) {
        var r;
        if (!e.ctrlKey && !e.shiftKey) return;
        e.preventDefault();
        r = s.getBoundingClientRect();
        zoom((e.deltaY || e.deltaX) > 0 ? 1.25 : 0.8, from + width * (e.clientX - r.left) / r.width);
      }, { passive: false });
    });
  }
  var filter = document.querySelector('#filter');
  if (filter) filter.addEventListener('input', function () {
    var words = filter.value.toLowerCase().split(/\s+/);
    document.querySelectorAll('.group').forEach(function (g) {
      var text = g.textContent.toLowerCase();
      g.hidden = !words.every(function (w) { return text.indexOf(w) >= 0; });
    });
  });
  /* an error's own line may be inside a folded group */
  function unfold() {
    var e = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var top = e;
    for (var p = e; p; p = p.parentElement) if (p.tagName === 'DETAILS') { p.open = true; top = p; }
    if (top) top.scrollIntoView();      /* the reason stands above the error's line */
  }
  window.addEventListener('hashchange', unfold);
  unfold();
}());
