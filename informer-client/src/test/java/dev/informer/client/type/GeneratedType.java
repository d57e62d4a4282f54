/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

/**
 * Class of custom resources in generated source code.
 *
 * @param name the name of the class
 * @param source the source code of the class and of those that it uses
 * @param shape the JSON of its objects
 * @param refusable whether the start may refuse it
 */
record GeneratedType(String name, String source, ClassShape shape, boolean refusable) {

}
