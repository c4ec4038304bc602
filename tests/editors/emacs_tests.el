;;; emacs_tests.el --- A test fails and passes as its definition is edited and not saved  -*- lexical-binding: t -*-
;;; Commentary:
;; Through Eglot.  Writes what it saw to $RESULT as JSON.
;;; Code:
(require 'json)
(require 'package)
(package-initialize)
(package-install-file (getenv "PACKAGE"))
(load (getenv "SETTINGS") nil t)
(require 'yaml-mode)
(load (expand-file-name "emacs_waiting.el" (file-name-directory load-file-name)) nil t)

(defun opened (file)
  "Give the buffer of FILE, which a server follows."
  (find-file file)
  (switch-to-buffer (current-buffer))
  (run-hooks 'post-command-hook)
  (wait-for "the server" #'eglot-current-server)
  (flymake-start)
  (current-buffer))

(defun rename-object (buffer name)
  "Write NAME as the value at the end of the definition in BUFFER, and tell the server."
  (with-current-buffer buffer
    (goto-char (point-max))
    (search-backward "name: ")
    (delete-region (+ 6 (point)) (line-end-position))
    (goto-char (+ 6 (point)))
    (insert name)
    (eglot--signal-textDocument/didChange)))

(let* ((definition (opened (getenv "FILE")))
       (tests (opened (expand-file-name "app.test.yaml" (file-name-directory (getenv "FILE")))))
       (failure (progn (rename-object definition "other")
                       (wait-for "a failure"
                                 (lambda ()
                                   (seq-find (lambda (each) (string-match-p "found \"other\"" (flymake-diagnostic-text each)))
                                             (with-current-buffer tests (flymake-diagnostics)))))))
       (marked (with-current-buffer tests
                 (buffer-substring-no-properties (flymake-diagnostic-beg failure) (flymake-diagnostic-end failure))))
       (modified (buffer-modified-p definition))
       (mended (progn (rename-object definition "fine")
                      (wait-for "no failure"
                                (lambda () (with-current-buffer tests (null (flymake-diagnostics))))))))
  (with-temp-file (getenv "RESULT")
    (insert (json-encode `((marked . ,marked)
                           (modified . ,(if modified t :json-false))
                           (mended . ,(if mended t :json-false)))))))
;;; emacs_tests.el ends here
