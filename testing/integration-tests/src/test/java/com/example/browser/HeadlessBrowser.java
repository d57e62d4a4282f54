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
 * Annotation for tests that open pages in a headless browser. Resolves parameters of type
 * {@link Chromium}. Requires {@code chromedriver} and {@code chromium} or
 * {@code google-chrome} on the path; nothing is downloaded.
 * <p>
 * Without them the tests are skipped with one log line, or fail if the environment
 * variable {@code INFORMER_TEST_BROWSER} is {@code required}. All tests of a JVM share
 * one browser.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Tag("browser")
@ExtendWith(HeadlessBrowserExtension.class)
public @interface HeadlessBrowser {

}
