/**
 * The code that the documentation shows, so that it is compiled: a test looks for each
 * piece of it here.
 */
@NullMarked
package com.example.docs;

import org.jspecify.annotations.NullMarked;
