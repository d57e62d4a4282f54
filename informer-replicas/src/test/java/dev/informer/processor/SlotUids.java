/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import dev.informer.client.ObjectState;
import dev.informer.replicas.Shard;
import dev.informer.replicas.SlotSelector;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Objects by the slots of their UIDs.
 */
final class SlotUids {

	private SlotUids() {
	}

	/**
	 * Return a UID whose object belongs to a slot.
	 * @param slot the slot
	 * @param slots the number of slots
	 * @param number selects one of the UIDs
	 */
	static String uid(int slot, int slots, int number) {
		int attempt = 0;
		String uid;
		do {
			String seed = number + "-" + attempt++;
			uid = UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).toString();
		}
		while (slotOf(uid, slots) != slot);
		return uid;
	}

	/**
	 * Return a pod in namespace {@code ns} whose UID, one of four slots, follows from the
	 * slot alone.
	 */
	static V1Pod pod(String name, int slot, int version) {
		return TestObjects.pod(name, uid(slot, 4, 1), version);
	}

	static int slotOf(String uid, int slots) {
		return SlotSelector.slotOf(Shard.Key.UID, slots, ObjectState.NONE.with("uid", uid));
	}

}
