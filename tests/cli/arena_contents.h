// Arenas with contents made by hand, for the tests of cli/snapshot and cli/kernel_count.
#pragma once

#include <string.h>

#include <string_view>

#include "tests/interpose/arena_memory.h"

namespace iotrace {

class ArenaContents : public ArenaMemory {
 public:
  // An image in that slot; slots in use end behind it.
  ImageRecord& add_image(uint32_t slot_number, int pid) {
    ImageRecord& image = make<ImageRecord>(&slot(slot_number).image);
    image.pid = pid;
    use(slot_number, SlotState::attached);
    return image;
  }

  Announcement& add_announcement(uint32_t slot_number, int pid) {
    Announcement& announcement = make<Announcement>(&slot(slot_number).announcement);
    slot(slot_number).pid = pid;
    use(slot_number, SlotState::announced);
    return announcement;
  }

  Lane& add_lane(ImageRecord& image) {
    Ref before = image.lanes;
    Lane& lane = make<Lane>(&image.lanes);
    lane.next = before;
    return lane;
  }

  DescriptorRecord& add_record(ImageRecord& image, unsigned index) {
    Ref& page = image.record_pages[index / kRecordsPerPage];
    if (page == 0) make<RecordPage>(&page);
    DescriptorRecord& record = at<RecordPage>(base(), page)->records[index % kRecordsPerPage];
    record.ready = 1;
    return record;
  }

  // The counters of a lane for a record, with so many calls of write, none of which has returned.
  CounterBlock& add_block(Lane& lane, unsigned index, uint64_t calls) {
    CounterBlock& block = make<CounterBlock>(&lane.blocks[index + 1]);
    block.granted.value = calls;
    return block;
  }

  Ref add_path(std::string_view text) {
    Ref ref;
    PathText& path = make<PathText>(&ref, sizeof(PathText) + text.size());
    path.length = static_cast<uint32_t>(text.size());
    memcpy(path.text, text.data(), text.size());
    return ref;
  }

 private:
  void use(uint32_t slot_number, SlotState state) {
    set_state(slot(slot_number), state);
    if (header().next_slot <= slot_number) header().next_slot = slot_number + 1;
  }
};

}  // namespace iotrace
