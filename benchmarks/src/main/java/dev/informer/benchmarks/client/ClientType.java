/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.function.BiFunction;

/**
 * Clients that are compared.
 */
public enum ClientType {

	/** Tokenizer without objects: the lower bound of every client. */
	FLOOR(TokenizerFloor::new),

	/** This project's informers. */
	INFORMER(InformerClient::new),

	/** The official client's informers. */
	CLIENT_JAVA(OfficialClient::new),

	/** The informers of fabric8's client. */
	FABRIC8(Fabric8Client::new);

	private final BiFunction<ClientSettings, Tally, BenchmarkClient> factory;

	ClientType(BiFunction<ClientSettings, Tally, BenchmarkClient> factory) {
		this.factory = factory;
	}

	/**
	 * Create a client.
	 * @param settings its settings
	 * @param tally the tally of the events of its handler
	 * @return the client, not yet started
	 */
	public BenchmarkClient create(ClientSettings settings, Tally tally) {
		return this.factory.apply(settings, tally);
	}

}
