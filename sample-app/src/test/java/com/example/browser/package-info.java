/**
 * A headless browser for tests.
 */
@NullMarked
package com.example.browser;

import org.jspecify.annotations.NullMarked;
