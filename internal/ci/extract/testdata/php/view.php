<html>
<body>
<?php foreach ($pages as $page): ?>
  <b><?= title($page) ?></b>
<?php endforeach; ?>
<?php
/** The title of a page. */
function title($page) {
    return escape($page->title);
}
?>
<script>function not_php() {}</script>
<?php class Footer { public function show() { ?><i>end</i><?php } }
