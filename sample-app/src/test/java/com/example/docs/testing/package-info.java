/**
 * Tests of an application, as the documentation shows them.
 */
@NullMarked
package com.example.docs.testing;

import org.jspecify.annotations.NullMarked;
