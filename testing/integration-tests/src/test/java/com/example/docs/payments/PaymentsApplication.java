/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.payments;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Application of the documentation with a handler for the pods of one team.
 */
@SpringBootApplication
class PaymentsApplication {

}
