/**
 * Measures what the starter adds to the start of an application.
 */
@NullMarked
package com.example.start;

import org.jspecify.annotations.NullMarked;
