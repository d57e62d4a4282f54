/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.util.stream.Stream;

/**
 * Words that names consist of.
 */
final class Words {

	static final byte[] DASH = Bytes.of("-");

	static final byte[] DOT = Bytes.of(".");

	static final byte[] VERSION = Bytes.of("2.");

	static final byte[] NODE_START = Bytes.of("ip-10-0-");

	static final byte[] NODE_END = Bytes.of(".eu-central-1.compute.internal");

	static final byte[] HOST_NET = Bytes.of("10.0.");

	static final byte[] POD_NET = Bytes.of("10.");

	static final byte[] UUID_VERSION = Bytes.of("-4");

	static final byte[] UUID_VARIANT = Bytes.of("-a");

	static final byte[] STATUS_TRUE = Bytes.of("True");

	static final byte[] STATUS_FALSE = Bytes.of("False");

	static final byte[] TRUE = Bytes.of("true");

	static final byte[] FALSE = Bytes.of("false");

	private static final byte[][] NAMESPACES = words("shop-", "billing-", "logistics-", "search-", "identity-",
			"platform-", "warehouse-", "marketing-", "payments-", "reporting-");

	private static final byte[][] WORKLOADS = words("checkout-", "cart-api-", "price-calculator-", "invoice-writer-",
			"order-history-", "product-catalog-", "recommendations-", "stock-level-", "customer-profile-",
			"notification-sender-", "delivery-planner-", "fraud-check-", "session-store-", "image-resizer-",
			"feed-exporter-", "audit-log-");

	private Words() {
	}

	static byte[] namespace(int number) {
		return NAMESPACES[number % NAMESPACES.length];
	}

	static byte[] workload(int number) {
		return WORKLOADS[number % WORKLOADS.length];
	}

	private static byte[][] words(String... words) {
		return Stream.of(words).map(Bytes::of).toArray(byte[][]::new);
	}

}
