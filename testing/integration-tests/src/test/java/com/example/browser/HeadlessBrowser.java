/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.browser;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that open pages in a real browser without a window, and gives a
 * {@link Chromium} to a parameter of theirs. It takes the commands {@code chromedriver}
 * and {@code chromium} or {@code google-chrome} on the path; nothing is downloaded.
 * <p>
 * Without them the tests are skipped and one line of the log says so; where the
 * environment variable {@code INFORMER_TEST_BROWSER} is {@code required}, they fail. One
 * browser serves all tests of a JVM and ends with them.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Tag("browser")
@ExtendWith(HeadlessBrowserExtension.class)
public @interface HeadlessBrowser {

}
