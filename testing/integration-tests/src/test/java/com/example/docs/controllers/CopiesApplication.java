/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.controllers;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class CopiesApplication {

}
